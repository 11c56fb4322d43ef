import { useGetUserQuery } from './api.js';

const STALE_AFTER = 60;

/** Who is signed in: null for nobody. `loading` is true until the first answer. */
export function useCurrentUser() {
  const { data, isLoading, isUninitialized } = useGetUserQuery(undefined, { refetchOnMountOrArgChange: STALE_AFTER });
  return { user: data ?? null, loading: isLoading || isUninitialized };
}
