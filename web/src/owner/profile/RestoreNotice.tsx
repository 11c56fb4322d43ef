import { History } from 'lucide-react';
import { Callout } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';

/** Says that the account is as it was at an earlier time. */
export function RestoreNotice({ to }: { to: string }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const values = { time: dateTime(to) };
  return (
    <Callout tone="gold" icon={History} title={t('profile.restored.title', values)} text={t('profile.restored.text')} />
  );
}
