import { ornament } from '@najwa/proto/ornament';
import { Ornament } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';

const PLACES = ['top', 'topRight', 'right', 'bottomRight', 'bottom', 'bottomLeft', 'left', 'topLeft'] as const;

/** Named in words as well, for screen readers. */
export function OwnOrnament({ bits, size, className }: { bits: string; size: number; className?: string }) {
  const { t } = useTranslation();
  // As in `Ornament`.
  if ((bits as string | undefined) === undefined) return null;
  const { isFramed, bowls, dotAt } = ornament(bits);
  const label = t('wayBack.ornament.label', {
    frame: t(isFramed ? 'wayBack.ornament.frame' : 'wayBack.ornament.noFrame'),
    bowls: t('wayBack.ornament.bowls', { count: bowls }),
    place: t(`wayBack.ornament.at.${PLACES[dotAt] ?? 'top'}`),
  });
  return <Ornament bits={bits} size={size} label={label} className={className} />;
}
