import type { ComponentProps } from 'react';
import { Button, NoticePage, Stack } from './index.js';
import { useTranslation } from '../i18n/index.js';
import { useErrorText } from '../api/use-error-text.js';

interface RetryProps extends Pick<ComponentProps<typeof Button>, 'size' | 'variant'> {
  retrying: boolean;
  onRetry: () => void;
}

export function RetryButton({ retrying, onRetry, ...look }: RetryProps) {
  const { t } = useTranslation();
  return (
    <Button {...look} busy={retrying ? t('common.action.loading') : undefined} onClick={onRetry}>
      {t('common.action.retry')}
    </Button>
  );
}

interface FailureProps extends Omit<RetryProps, 'variant'> {
  error: unknown;
}

export function PageFailure({ error, ...retry }: FailureProps) {
  const { t } = useTranslation();
  const errors = useErrorText();
  return (
    <NoticePage title={t('common.failure.page')} text={errors.text(error)}>
      <RetryButton {...retry} />
    </NoticePage>
  );
}

export function LoadFailure({ error, ...retry }: FailureProps) {
  const { t } = useTranslation();
  const errors = useErrorText();
  return (
    <Stack>
      <p role="alert">{t('common.failure.load', { text: errors.text(error) })}</p>
      <div>
        <RetryButton {...retry} />
      </div>
    </Stack>
  );
}
