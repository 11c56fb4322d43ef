import { useErrorText } from '../../api/use-error-text.js';
import { FieldError } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import type { Refused } from './sign-in-data.js';

/** Why the server refused a form sent without scripts, unless a field says it. */
export function RefusedNotice({ error }: Pick<Refused, 'error'>) {
  const { t } = useTranslation();
  const errors = useErrorText();
  const reason = () => {
    if (error === 'no_cookies') return `${t('auth.login.noCookies')}. ${t('auth.login.noCookiesText')}`;
    if (error.fields !== undefined) return t('common.error.invalid_input');
    if (error.code === 'proof_required') return t('auth.plain.proof');
    return errors.text({ proof: null, ...error, fields: {} });
  };
  return (
    <div data-testid="refused">
      <FieldError>
        <span>
          {reason()} {t('auth.plain.again')}
        </span>
      </FieldError>
    </div>
  );
}
