import { useState } from 'react';
import { styled } from 'styled-components';
import { Badge, Button, OptionalView, PageLoading, useToast } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import { PasswordDialog, useBeginTotpMutation, useGetTotpQuery } from '../access/index.js';
import { SettingsSection } from './SettingsSection.js';
import { TotpRemoval } from './TotpRemoval.js';
import { lazyPart } from '../../lib/on-demand.js';

/** The QR code needs a library, so it is loaded with the dialog. */
const TotpSetup = lazyPart(async () => (await import('./TotpSetup.js')).TotpSetup);

type Step = { name: 'none' | 'password' | 'removal' } | { name: 'setup'; secret: string; uri: string };

/** Turns the second step at sign-in on and off. */
export function TotpSection({ username }: { username: string }) {
  const { t } = useTranslation();
  const toast = useToast();
  const { data: totp } = useGetTotpQuery();
  const [begin] = useBeginTotpMutation();
  const [step, setStep] = useState<Step>({ name: 'none' });
  const close = () => {
    setStep({ name: 'none' });
  };
  const isOn = totp?.isOn === true;

  return (
    <SettingsSection title={t('access.totp.title')} text={t('access.totp.text')}>
      <Row>
        <Badge $tone={isOn ? 'mint' : 'plain'}>{t(isOn ? 'access.totp.on' : 'access.totp.off')}</Badge>
        <Button
          disabled={totp === undefined}
          onClick={() => {
            setStep({ name: isOn ? 'removal' : 'password' });
          }}
        >
          {t(isOn ? 'access.totp.turnOff' : 'access.totp.turnOn')}
        </Button>
      </Row>
      <PasswordDialog
        open={step.name === 'password'}
        onClose={close}
        title={t('access.totp.setupTitle')}
        text={t('access.totp.passwordText')}
        submit={t('access.totp.continue')}
        username={username}
        onSubmit={async (password) => {
          setStep({ name: 'setup', ...(await begin(password).unwrap()) });
        }}
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

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
`;
