import { useTranslation } from 'react-i18next';
import { isApiError } from '../../app/api-error.js';
import { useErrorText } from '../../app/use-error-text.js';

const FAULTS = ['required', 'too_large', 'too_long', 'too_short', 'silent', 'unsupported'] as const;

/** Texts for recordings that the server refused. */
export function useVoiceFault() {
  const { t } = useTranslation();
  const errors = useErrorText();

  const text = (error: unknown) => {
    const fault = isApiError(error) ? FAULTS.find((known) => known === error.fields['audio']) : undefined;
    return fault === undefined ? errors.text(error) : t(`recorder.audio.${fault}`);
  };

  return {
    text,
    /** The text after its status. */
    message: (error: unknown) =>
      isApiError(error) && error.status !== null ? `\u2066${String(error.status)}\u2069: ${text(error)}` : text(error),
  };
}
