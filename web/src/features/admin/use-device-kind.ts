import { CircleQuestionMark, Monitor, Smartphone, Tablet, Tv, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';

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
