import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useErrorText } from '../../app/use-error-text.js';
import { useToast } from '../../components/index.js';
import { useLogoutMutation } from './api.js';

/** Shares the mutation's state between all components that log out or react to it. */
const SHARED = { fixedCacheKey: 'logout' } as const;

export function useLogout() {
  const { t } = useTranslation();
  const toast = useToast();
  const navigate = useNavigate();
  const errors = useErrorText();
  const [logout, { isLoading }] = useLogoutMutation(SHARED);

  const leave = async () => {
    try {
      await logout().unwrap();
      toast({ variant: 'success', title: t('auth.logout.done'), text: t('auth.logout.doneText') });
      await navigate('/');
    } catch (error) {
      toast({ variant: 'destructive', title: t('auth.logout.failed'), text: errors.message(error) });
    }
  };

  return { leave, leaving: isLoading };
}

/** True if the user logged out here. A protected page then redirects to the home page instead of the sign-in page. */
export function useLoggedOut() {
  const [, { isSuccess, reset }] = useLogoutMutation(SHARED);
  return { loggedOut: isSuccess, forget: reset };
}
