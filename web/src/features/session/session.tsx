import { useTranslation } from 'react-i18next';
import { Navigate, Outlet, useNavigate } from 'react-router-dom';
import { useErrorText } from '../../app/use-error-text.js';
import { useToast } from '../../components/index.js';
import { useGetUserQuery, useLogoutMutation } from './api.js';

const STALE_AFTER = 60;

/** The signed-in user, or null. `loading` is true until the first answer. */
export function useCurrentUser() {
  const { data, isLoading, isUninitialized } = useGetUserQuery(undefined, { refetchOnMountOrArgChange: STALE_AFTER });
  return { user: data ?? null, loading: isLoading || isUninitialized };
}

/** Shares the mutation's state between all components that log out or react to it. */
const SHARED_STATE = { fixedCacheKey: 'logout' } as const;

export function useLogout() {
  const { t } = useTranslation();
  const toast = useToast();
  const navigate = useNavigate();
  const errors = useErrorText();
  const [logout, { isLoading }] = useLogoutMutation(SHARED_STATE);

  const logOut = async () => {
    try {
      await logout().unwrap();
      toast({ variant: 'success', title: t('auth.logout.done'), text: t('auth.logout.doneText') });
      await navigate('/');
    } catch (error) {
      toast({ variant: 'destructive', title: t('auth.logout.failed'), text: errors.message(error) });
    }
  };

  return { logOut, isLoggingOut: isLoading };
}

/** True if the user logged out here. A protected page then redirects to the home page instead of the sign-in page. */
export function useLoggedOut() {
  const [, { isSuccess, reset }] = useLogoutMutation(SHARED_STATE);
  return { loggedOut: isSuccess, reset: reset };
}

/** Protects the nested routes: waits for the user to load, then renders or redirects. */
export function RequireUser() {
  const { user, loading } = useCurrentUser();
  const { loggedOut } = useLoggedOut();
  if (loading) return null;
  return user === null ? <Navigate to={loggedOut ? '/' : '/auth'} replace /> : <Outlet />;
}
