import { useTranslation } from '../../i18n/index.js';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../api/api-error.js';
import { useErrorText } from '../../api/use-error-text.js';
import { useToast } from '../../ui/index.js';
import { useSubmissionKey } from '../../lib/submission-key.js';
import { useCreateAdministratorMutation } from './api.js';
import type { NewAdministrator } from './types.js';

/** This call answers `not_allowed` only for a wrong secret. */
export const isWrongSecret = (error: unknown) => isApiError(error) && error.code === 'not_allowed';

export function useCreateAdministrator() {
  const { t } = useTranslation();
  const toast = useToast();
  const navigate = useNavigate();
  const errors = useErrorText();
  const { keyFor, renew } = useSubmissionKey();
  const [send, { isLoading }] = useCreateAdministratorMutation();

  const describe = (error: unknown): string => {
    if (!isApiError(error)) return t('admin.account.unknown');
    if (isWrongSecret(error)) return t('admin.account.wrongSecret');
    return error.code === 'unknown' && error.message === '' ? t('admin.account.failedText') : errors.message(error);
  };

  const create = async (account: NewAdministrator): Promise<unknown> => {
    const { username, name, email, password, createVerified, role } = account;
    try {
      await send({
        account,
        key: keyFor(username, name, email, password, String(createVerified), String(role)),
      }).unwrap();
    } catch (error) {
      toast({ variant: 'destructive', title: t('admin.account.failed'), text: describe(error) });
      return error;
    }
    renew();
    const text = t('admin.account.doneText', { username: `\u2066@${username}\u2069` });
    toast({ variant: 'success', title: t('admin.account.done'), text });
    await navigate('/auth', { state: { tab: 'login' } });
    return undefined;
  };

  return { create, creating: isLoading };
}
