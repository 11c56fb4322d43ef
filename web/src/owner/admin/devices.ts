import { CircleQuestionMark, type LucideIcon, Monitor, Smartphone, Tablet, Tv } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';

export type CoarseSystem = 'Windows' | 'MacOS' | 'Linux' | 'Android' | 'iOS' | 'unknown' | 'unavailable';

/** Ordered: phones also name their desktop relative. */
const MARKS: readonly [RegExp, CoarseSystem][] = [
  [/windows/i, 'Windows'],
  [/android/i, 'Android'],
  [/iphone|ipad|ipod/i, 'iOS'],
  [/mac os|macintosh/i, 'MacOS'],
  [/linux|x11/i, 'Linux'],
];

export function coarseSystem(userAgent: string | null): CoarseSystem {
  if (userAgent === null || userAgent === '') return 'unavailable';
  return MARKS.find(([mark]) => mark.test(userAgent))?.[1] ?? 'unknown';
}

const ICONS = { desktop: Monitor, mobile: Smartphone, tablet: Tablet, tv: Tv } satisfies Record<string, LucideIcon>;

const isKnown = (kind: string): kind is keyof typeof ICONS => kind in ICONS;

export function useDeviceKind(kind: string | null): { name: string; icon: LucideIcon } {
  const { t } = useTranslation();
  if (kind === null) return { name: t('admin.unknown'), icon: CircleQuestionMark };
  return isKnown(kind)
    ? { name: t(`admin.device.${kind}`), icon: ICONS[kind] }
    : { name: kind, icon: CircleQuestionMark };
}
