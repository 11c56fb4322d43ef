import { Plus } from 'lucide-react';
import { useState } from 'react';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { FACTS_GAP, Button, ConfirmDialog, Icon, Stack, useOutcome } from '../../ui/index.js';
import { useFormats, useTimes, useTranslation } from '../../i18n/index.js';
import {
  useAddPasskey,
  useDeletePasskeyMutation,
  useGetPasskeysQuery,
  type Passkey,
} from '../../shared/credentials/index.js';
import { knowsPasskeys } from '../../lib/passkeys.js';
import { DeviceRow, deviceName } from './DeviceRow.js';
import { SettingsSection } from './SettingsSection.js';

export function PasskeySection() {
  const { t } = useTranslation();
  const say = useOutcome();
  const { data: passkeys, error, refetch, isFetching } = useGetPasskeysQuery();
  const [remove, removing] = useDeletePasskeyMutation();
  const [asked, setAsked] = useState<Passkey | null>(null);
  const { add, isAdding } = useAddPasskey();

  const removeAsked = async ({ id }: Passkey) => {
    const { error } = await remove(id);
    setAsked(null);
    if (error === undefined) say.done(t('access.passkeys.removed'));
    else say.failed(t('access.passkeys.failed'), error);
  };

  return (
    <SettingsSection title={t('access.passkeys.title')} text={t('access.passkeys.text')}>
      <Stack>
        {passkeys === undefined && error !== undefined && (
          <LoadFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />
        )}
        {passkeys !== undefined && passkeys.length > 0 && (
          <ul>
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setAsked(passkey)} />
            ))}
          </ul>
        )}
        {knowsPasskeys() ? (
          <div>
            <Button busy={isAdding ? t('access.passkeys.adding') : undefined} onClick={() => void add()}>
              <Icon of={Plus} />
              {t('access.passkeys.add')}
            </Button>
          </div>
        ) : (
          <p>{t('access.passkeys.unknown')}</p>
        )}
      </Stack>
      <ConfirmDialog
        open={asked !== null}
        title={t('access.passkeys.removeTitle')}
        text={t('access.passkeys.removeText')}
        confirm={t('access.passkeys.remove')}
        busy={removing.isLoading ? t('common.action.loading') : undefined}
        onConfirm={() => {
          if (asked !== null) void removeAsked(asked);
        }}
        onCancel={() => setAsked(null)}
      />
    </SettingsSection>
  );
}

function PasskeyRow({
  passkey: { device, createdAt, lastUsedAt },
  onRemove,
}: {
  passkey: Passkey;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const { date } = useFormats();
  const times = useTimes();
  const name = deviceName(device, t);
  const used =
    lastUsedAt === null ? t('access.passkeys.unused') : t('access.passkeys.used', { time: times.relative(lastUsedAt) });
  return (
    <DeviceRow
      device={device}
      title={name}
      text={`${t('access.passkeys.added', { date: date(createdAt) })}${FACTS_GAP}${used}`}
      testId="passkey"
    >
      <Button
        size="sm"
        variant="dangerGhost"
        aria-label={t('access.passkeys.removeOf', { device: name })}
        onClick={onRemove}
      >
        {t('access.passkeys.remove')}
      </Button>
    </DeviceRow>
  );
}
