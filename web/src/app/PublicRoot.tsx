import { type ComponentType, useMemo, useState } from 'react';
import { MissingPage, PublicPage, type Unsent } from '../features/public-page/index.js';
import { Layout } from './layout/Layout.js';
import { NavigationContext } from './navigation.js';

export { askedIn, type PageData, primePublicPage } from '../features/public-page/index.js';

interface Props {
  pathname: string;
  username: string;
  /** Id of the owner's question to show. */
  asked: number | undefined;
  /** True if the server knows that nobody has the username. */
  isMissing: boolean;
  unsent?: Unsent | undefined;
}

/** The public page on its own. The first navigation elsewhere loads the router with the rest of the app. */
export function PublicRoot({ pathname, username, asked, isMissing, unsent }: Props) {
  const [Router, setRouter] = useState<ComponentType | null>(null);
  const navigation = useMemo(() => {
    const open = async (to: string) => {
      const { AppRouter } = await import('./router.js');
      window.history.pushState(null, '', to);
      window.scrollTo(0, 0);
      setRouter(() => AppRouter);
    };
    return {
      pathname,
      navigate: (to: string) => {
        open(to).catch(() => {
          window.location.assign(to);
        });
      },
    };
  }, [pathname]);

  if (Router !== null) return <Router />;
  return (
    <NavigationContext value={navigation}>
      <Layout footer>
        {isMissing ? <MissingPage /> : <PublicPage username={username} asked={asked} unsent={unsent} />}
      </Layout>
    </NavigationContext>
  );
}
