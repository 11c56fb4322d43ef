import { type ReactNode, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { NavigationContext } from './navigation.js';

/** The path of a page whose address is a secret. */
const isSecret = (path: string) => path.startsWith('/r/');

/**
 * Navigation through the router. A secret address gets a document of its own, whose headers keep it from being sent as referrer.
 * The document ends with it, since browsers send the first address of a document as referrer of images in its styles.
 */
export function RouterNavigation({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const navigation = useMemo(
    () => ({
      // Routes match with a slash at their end as well.
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
