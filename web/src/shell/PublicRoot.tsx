import { type ComponentType, Suspense, useMemo, useState } from 'react';
import { PageLoading } from '../ui/index.js';
import { MissingPage, type PageData, PublicPage } from '../visitor/public-page/index.js';
import { Layout } from './layout/Layout.js';
import { NavigationContext } from '../ui/navigation.js';

export { type PageData } from '../visitor/public-page/index.js';

interface Props {
  pathname: string;
  username: string;
  /** Id of the question to show. */
  asked: number | undefined;
  /** Null if the server could not tell. */
  data: PageData | null;
}

/** Without the router, which the first navigation loads. */
export function PublicRoot({ pathname, username, asked, data }: Props) {
  const [Router, setRouter] = useState<ComponentType | null>(null);
  const navigation = useMemo(() => {
    const open = async (to: string) => {
      const { AppRouter, pushFirst } = await import('./router.js');
      pushFirst(to);
      setRouter(() => AppRouter);
    };
    return {
      pathname,
      navigate: (to: string) => {
        open(to).catch(() => window.location.assign(to));
      },
    };
  }, [pathname]);

  const first = useMemo(() => {
    const { profile, messages } = { ...data };
    return profile == null || messages === undefined ? undefined : { profile, messages };
  }, [data]);

  if (Router !== null) return <Router />;
  return (
    <NavigationContext value={navigation}>
      <Layout footer>
        {data?.profile === null ? (
          <Suspense fallback={<PageLoading />}>
            <MissingPage />
          </Suspense>
        ) : (
          <PublicPage username={username} asked={asked} first={first} unsent={data?.unsent} />
        )}
      </Layout>
    </NavigationContext>
  );
}
