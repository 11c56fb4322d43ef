import { Fragment, useEffect, useEffectEvent, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { PageFailure } from '../../ui/LoadFailure.js';
import { useToast } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { accountHere } from '../../lib/signed-in.js';
import { tab } from '../../lib/storage.js';
import { useCurrentUser, useLoggedOut } from './session.js';

/** The only page of an account awaiting deletion. */
const LEAVING_PAGE = '/settings/data';

export function RequireUser() {
  const { user, loading, failure } = useCurrentUser();
  const { loggedOut } = useLoggedOut();
  const { pathname } = useLocation();
  const [wasHere] = useState(() => accountHere() !== null);
  if (failure !== null) return <PageFailure {...failure} />;
  if (loading) return null;
  if (user?.deletesAt != null && pathname !== LEAVING_PAGE) return <Navigate to={LEAVING_PAGE} replace />;
  if (user === null) return loggedOut ? <Navigate to="/" replace /> : <SignInFirst hasEnded={wasHere} />;
  // Closes what another account had open that signed in in another tab.
  return (
    <Fragment key={user.id}>
      <Outlet />
    </Fragment>
  );
}

function SignInFirst({ hasEnded }: { hasEnded: boolean }) {
  const { t } = useTranslation();
  const toast = useToast();
  const { pathname, search, hash } = useLocation();
  const leave = useEffectEvent(() => {
    tab.write('wanted', pathname + search + hash);
    if (hasEnded) toast({ title: t('common.error.not_signed_in') });
  });
  useEffect(() => {
    leave();
  }, []);
  return <Navigate to="/auth" state={{ tab: 'login' }} replace />;
}
