import { Button, Stack } from '../components/index.js';
import { useTranslation } from '../i18n/index.js';
import { useErrorText } from './use-error-text.js';

interface Props {
  error: unknown;
  retrying: boolean;
  size?: 'sm' | 'md';
  onRetry: () => void;
}

/** Takes the place of something that could not be loaded. */
export function LoadFailure({ error, retrying, size = 'md', onRetry }: Props) {
  const { t } = useTranslation();
  const errors = useErrorText();
  return (
    <Stack>
      <p role="alert">{t('common.failure.load', { text: errors.text(error) })}</p>
      <div>
        <Button size={size} busy={retrying ? t('common.action.loading') : undefined} onClick={onRetry}>
          {t('common.action.retry')}
        </Button>
      </div>
    </Stack>
  );
}
