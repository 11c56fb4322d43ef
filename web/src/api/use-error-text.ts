import { LIMITS } from '@najwa/proto/http/client';
import { type TextKey, useFormats, useTranslation, type Translate } from '../i18n/index.js';
import { isolate } from '../lib/text.js';
import { type ApiError, isApiError } from './api-error.js';

const SECONDS_IN_MINUTE = 60;
const MEGABYTE = 1024 * 1024;

function describe(error: ApiError, t: Translate): string {
  if (error.status === 429 && error.retryAfter !== null)
    return t('common.error.retryIn', { count: Math.max(1, Math.ceil(error.retryAfter / SECONDS_IN_MINUTE)) });
  if (error.code !== 'unknown') {
    for (const key of [`common.error.${error.code}`, `ownErrors.${error.code}`] as TextKey[]) {
      const text = t(key, { megabytes: (error.maxBytes ?? LIMITS.messageImageBytes) / MEGABYTE });
      if (text !== key) return text;
    }
  }
  return error.message === '' ? t('common.error.internal') : isolate(error.message);
}

/** Translated by code, or the server's message. */
export function useErrorText() {
  const { t } = useTranslation();
  const { number } = useFormats();

  const text = (error: unknown) => (isApiError(error) ? describe(error, t) : t('common.error.internal'));

  return {
    text,
    /** Prefixed with the status: `401: …`. */
    message: (error: unknown, described = text(error)) =>
      isApiError(error) && error.status !== null ? `${number(error.status)}: ${described}` : described,
  };
}
