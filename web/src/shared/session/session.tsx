import { useTranslation } from '../../i18n/index.js';
import { useNavigation } from '../../ui/navigation.js';
import { useErrorText } from '../../api/use-error-text.js';
import { useToast } from '../../ui/index.js';
import { useHydrated } from '../../lib/hooks.js';
import { useGetUserQuery, useLogoutMutation } from './api.js';

const STALE_AFTER = 60;

/** `loading` until the first answer. `failure` if the user is unknown. */
export function useCurrentUser() {
  // The server's HTML has no user. React would not repair attributes that differ in parts hydrated later.
  const hydrated = useHydrated();
  const { data, error, isFetching, isLoading, isUninitialized, refetch } = useGetUserQuery(undefined, {
    refetchOnMountOrArgChange: STALE_AFTER,
  });
  if (!hydrated) return { user: null, loading: true, failure: null };
  const failure =
    data === undefined && error !== undefined ? { error, retrying: isFetching, onRetry: () => void refetch() } : null;
  return { user: data ?? null, loading: isLoading || isUninitialized, failure };
}

/** Shares the mutation's state between all components. */
const SHARED_STATE = { fixedCacheKey: 'logout' } as const;

export function useLogout() {
  const { t } = useTranslation();
  const toast = useToast();
  const { navigate } = useNavigation();
  const errors = useErrorText();
  const [logout, { isLoading }] = useLogoutMutation(SHARED_STATE);

  const logOut = async () => {
    try {
      await logout().unwrap();
      toast({ variant: 'success', title: t('common.logout.done'), text: t('common.logout.doneText') });
      navigate('/');
    } catch (error) {
      toast({ variant: 'destructive', title: t('common.logout.failed'), text: errors.message(error) });
    }
  };

  return { logOut, isLoggingOut: isLoading };
}

/** A protected page then redirects home instead of to sign-in. */
export function useLoggedOut() {
  const [, { isSuccess, reset }] = useLogoutMutation(SHARED_STATE);
  return { loggedOut: isSuccess, reset: reset };
}
