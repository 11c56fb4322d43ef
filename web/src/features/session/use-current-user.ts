import { useGetUserQuery } from './api.js';

const STALE_AFTER = 60;

/** The signed-in user, or null. `loading` is true until the first answer. */
export function useCurrentUser() {
  const { data, isLoading, isUninitialized } = useGetUserQuery(undefined, { refetchOnMountOrArgChange: STALE_AFTER });
  return { user: data ?? null, loading: isLoading || isUninitialized };
}
