import { useErrorText } from '../../app/use-error-text.js';
import { Button, Stack } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';

interface Props {
  error: unknown;
  retrying: boolean;
  onRetry: () => void;
}

/** Takes the place of a list that could not be loaded. */
export function LoadFailure({ error, retrying, onRetry }: Props) {
  const { t } = useTranslation();
  const errors = useErrorText();
  return (
    <Stack>
      <p role="alert">{t('common.failure.load', { text: errors.text(error) })}</p>
      <div>
        <Button disabled={retrying} onClick={onRetry}>
          {t('common.action.retry')}
        </Button>
      </div>
    </Stack>
  );
}
