import { CircleQuestionMark, type LucideIcon, Monitor, Smartphone, Tablet, Tv } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';

export type CoarseSystem = 'Windows' | 'MacOS' | 'Linux' | 'Android' | 'iOS' | 'unknown' | 'unavailable';

/** The order matters: phones name their desktop relative too. */
const MARKS: readonly [RegExp, CoarseSystem][] = [
  [/windows/i, 'Windows'],
  [/android/i, 'Android'],
  [/iphone|ipad|ipod/i, 'iOS'],
  [/mac os|macintosh/i, 'MacOS'],
  [/linux|x11/i, 'Linux'],
];

/** The operating system named in a user agent. */
export function coarseSystem(userAgent: string | null): CoarseSystem {
  if (userAgent === null || userAgent === '') return 'unavailable';
  return MARKS.find(([mark]) => mark.test(userAgent))?.[1] ?? 'unknown';
}

const ICONS = { desktop: Monitor, mobile: Smartphone, tablet: Tablet, tv: Tv } satisfies Record<string, LucideIcon>;

const isKnown = (kind: string): kind is keyof typeof ICONS => kind in ICONS;

/** The name and icon of a device kind. */
export function useDeviceKind(kind: string | null): { name: string; icon: LucideIcon } {
  const { t } = useTranslation();
  if (kind === null) return { name: t('admin.unknown'), icon: CircleQuestionMark };
  return isKnown(kind)
    ? { name: t(`admin.device.${kind}`), icon: ICONS[kind] }
    : { name: kind, icon: CircleQuestionMark };
}
