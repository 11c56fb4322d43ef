import { useEffect } from 'react';
import { Button, ButtonLink, NoticePage, PageLoading, Stack } from '../../components/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';
import { useCreateRecoveryCodesMutation } from './api.js';
import { RecoveryCodes } from './RecoveryCodes.js';

interface Props {
  username: string;
  password: string;
  onContinue: () => void;
}

/** Makes the first codes of a new account and shows them. */
export function FirstRecoveryCodes({ username, password, onContinue }: Props) {
  useTexts(['access']);
  const { t } = useTranslation();
  const [create, { data: codes, isError }] = useCreateRecoveryCodesMutation();

  useEffect(() => {
    void create(password);
  }, [create, password]);

  if (codes !== undefined) return <RecoveryCodes codes={codes} username={username} onContinue={onContinue} />;
  if (!isError) return <PageLoading />;
  return (
    <NoticePage title={t('access.recovery.failed')} text={t('access.recovery.failedText')}>
      <Stack>
        <Button variant="primary" onClick={() => void create(password)}>
          {t('common.action.retry')}
        </Button>
        <ButtonLink to="/profile">{t('access.recovery.continue')}</ButtonLink>
      </Stack>
    </NoticePage>
  );
}
