import { Navigate, Outlet } from 'react-router-dom';
import { useCurrentUser } from './use-current-user.js';
import { useLoggedOut } from './use-logout.js';

/** Protects the nested routes: waits for the user to load, then renders or redirects. */
export function RequireUser() {
  const { user, loading } = useCurrentUser();
  const { loggedOut } = useLoggedOut();
  if (loading) return null;
  return user === null ? <Navigate to={loggedOut ? '/' : '/auth'} replace /> : <Outlet />;
}
