import { type ReactNode, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { NavigationContext } from '../ui/navigation.js';

const isSecret = (path: string) => path.startsWith('/r/');

/** Its own document: its headers suppress the referrer, which browsers otherwise send with images in styles. */
export function RouterNavigation({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const navigation = useMemo(
    () => ({
      // Routes also match with a trailing slash.
      pathname: pathname.replace(/(.)\/+$/, '$1'),
      navigate: (to: string) => {
        if (isSecret(pathname) || isSecret(to)) window.location.assign(to);
        else void navigate(to);
      },
    }),
    [pathname, navigate],
  );
  return <NavigationContext value={navigation}>{children}</NavigationContext>;
}
