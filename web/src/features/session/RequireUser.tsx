import { Navigate, Outlet } from 'react-router-dom';
import { useCurrentUser } from './use-current-user.js';
import { useLoggedOut } from './use-logout.js';

/** Protects the routes below it: waits for the check, then lets the user in or sends them to sign in. */
export function RequireUser() {
  const { user, loading } = useCurrentUser();
  const { loggedOut } = useLoggedOut();
  if (loading) return null;
  return user === null ? <Navigate to={loggedOut ? '/' : '/auth'} replace /> : <Outlet />;
}
