import { lazy, type ReactNode, Suspense } from 'react';
import { styled } from 'styled-components';
import { PageLoading } from '../../components/index.js';
import { ErrorBoundary } from '../ErrorBoundary.js';
import { useNavigation } from '../navigation.js';

/** The parts around a page load after the page itself, so that a visitor can write sooner. */
const loadFrame = () => import('./frame.js');
const Header = lazy(async () => ({ default: (await loadFrame()).Header }));
const Footer = lazy(async () => ({ default: (await loadFrame()).Footer }));
const ChatWidget = lazy(async () => ({ default: (await loadFrame()).ChatWidget }));

export function Layout({ footer, children }: { footer: boolean; children: ReactNode }) {
  const { pathname } = useNavigation();
  return (
    <>
      <Suspense fallback={<HeaderSpace />}>
        <Header />
      </Suspense>
      <Main>
        <ErrorBoundary pathname={pathname}>
          <Suspense fallback={<PageLoading />}>{children}</Suspense>
        </ErrorBoundary>
      </Main>
      <Suspense fallback={null}>
        {footer && <Footer />}
        <ChatWidget />
      </Suspense>
    </>
  );
}

const HeaderSpace = styled.div`
  block-size: 81px;
  ${({ theme }) => theme.media.phone} {
    block-size: 65px;
  }
`;

const Main = styled.main`
  flex: 1;
  /* Keeps the height while the current user is loading. */
  &:empty {
    min-block-size: 100vh;
  }
`;
