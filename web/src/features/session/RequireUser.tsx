import { Fragment } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { PageFailure } from '../../app/LoadFailure.js';
import { useCurrentUser, useLoggedOut } from './session.js';

/** The only page of an account that is about to be deleted. */
const LEAVING_PAGE = '/settings/data';

/** Protects the nested routes: waits for the user to load, then renders or redirects. */
export function RequireUser() {
  const { user, loading, failure } = useCurrentUser();
  const { loggedOut } = useLoggedOut();
  const { pathname } = useLocation();
  if (failure !== null) return <PageFailure {...failure} />;
  if (loading) return null;
  if (user?.deletesAt != null && pathname !== LEAVING_PAGE) return <Navigate to={LEAVING_PAGE} replace />;
  if (user === null) return <Navigate to={loggedOut ? '/' : '/auth'} replace />;
  // The key closes what another account had open, which signed in in another tab.
  return (
    <Fragment key={user.id}>
      <Outlet />
    </Fragment>
  );
}
