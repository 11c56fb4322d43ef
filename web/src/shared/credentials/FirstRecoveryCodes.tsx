import { useEffect, useState } from 'react';
import { RetryButton } from '../../ui/LoadFailure.js';
import { ButtonLink, NoticePage, PageLoading, Stack } from '../../ui/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';
import { useCreateRecoveryCodesMutation } from './api.js';
import { RecoveryCodes } from './RecoveryCodes.js';

interface Props {
  username: string;
  password: string;
  onContinue: () => void;
}

export function FirstRecoveryCodes({ username, password, onContinue }: Props) {
  useTexts(['access']);
  const { t } = useTranslation();
  const [create, { data: codes, isError, isLoading }] = useCreateRecoveryCodesMutation();
  const [hasFailed, setHasFailed] = useState(false);
  if (isError && !hasFailed) setHasFailed(true);

  useEffect(() => {
    void create(password);
  }, [create, password]);

  if (codes !== undefined) return <RecoveryCodes codes={codes} username={username} onContinue={onContinue} />;
  if (!hasFailed) return <PageLoading />;
  return (
    <NoticePage title={t('access.recovery.failed')} text={t('access.recovery.failedText')}>
      <Stack>
        <RetryButton variant="primary" retrying={isLoading} onRetry={() => void create(password)} />
        <ButtonLink to="/profile">{t('access.recovery.continue')}</ButtonLink>
      </Stack>
    </NoticePage>
  );
}
