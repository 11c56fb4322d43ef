import { useState } from 'react';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { Badge, Button, OptionalView, PageLoading, Skeleton, useToast, Row } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { PasswordDialog, useBeginTotpMutation, useGetTotpQuery } from '../../shared/credentials/index.js';
import { SettingsSection } from './SettingsSection.js';
import { TotpRemoval } from './TotpRemoval.js';
import { lazyPart } from '../../lib/on-demand.js';

/** The QR code needs a library: loaded with the dialog. */
const TotpSetup = lazyPart(async () => (await import('./TotpSetup.js')).TotpSetup);

type Step = { name: 'none' | 'password' | 'removal' } | { name: 'setup'; secret: string; uri: string };

export function TotpSection({ username }: { username: string }) {
  const { t } = useTranslation();
  const toast = useToast();
  const { data: totp, error, refetch, isFetching } = useGetTotpQuery();
  const [begin] = useBeginTotpMutation();
  const [step, setStep] = useState<Step>({ name: 'none' });
  const close = () => setStep({ name: 'none' });

  return (
    <SettingsSection title={t('access.totp.title')} text={t('access.totp.text')}>
      {totp === undefined && error === undefined && <Skeleton $inline="100%" $block="44px" />}
      {totp === undefined && error !== undefined && (
        <LoadFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />
      )}
      {totp !== undefined && (
        <Row $gap={12} $between>
          <Badge $tone={totp.isOn ? 'mint' : 'plain'}>{t(totp.isOn ? 'access.totp.on' : 'access.totp.off')}</Badge>
          <Button onClick={() => setStep({ name: totp.isOn ? 'removal' : 'password' })}>
            {t(totp.isOn ? 'access.totp.turnOff' : 'access.totp.turnOn')}
          </Button>
        </Row>
      )}
      <PasswordDialog
        open={step.name === 'password'}
        onClose={close}
        title={t('access.totp.setupTitle')}
        text={t('access.totp.passwordText')}
        submit={t('access.totp.continue')}
        username={username}
        onSubmit={async (password) => setStep({ name: 'setup', ...(await begin(password).unwrap()) })}
      />
      <TotpRemoval
        open={step.name === 'removal'}
        onClose={close}
        onDone={() => {
          close();
          toast({ variant: 'success', title: t('access.totp.turnedOff') });
        }}
      />
      {step.name === 'setup' && (
        <OptionalView fallback={<PageLoading />} onClose={close}>
          <TotpSetup
            secret={step.secret}
            uri={step.uri}
            onClose={close}
            onDone={() => {
              close();
              toast({ variant: 'success', title: t('access.totp.turnedOn') });
            }}
          />
        </OptionalView>
      )}
    </SettingsSection>
  );
}
