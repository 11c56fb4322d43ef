import { Suspense } from 'react';
import { Outlet, ScrollRestoration, useMatches } from 'react-router-dom';
import { styled } from 'styled-components';
import { PageLoading } from '../../components/index.js';
import { ChatWidget } from '../../features/chat/index.js';
import { ErrorBoundary } from '../ErrorBoundary.js';
import { Footer } from './Footer.js';
import { Header } from './Header.js';

interface Handle {
  /** Pages that end with their own picture have no footer below it. */
  footer?: boolean;
}

export function Layout() {
  const matches = useMatches();
  const footer = matches.every(({ handle }) => (handle as Handle | undefined)?.footer !== false);
  return (
    <>
      <Header />
      <Main>
        <ErrorBoundary>
          <Suspense fallback={<PageLoading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </Main>
      {footer && <Footer />}
      <ChatWidget />
      <ScrollRestoration />
    </>
  );
}

const Main = styled.main`
  flex: 1;
  /* Until it is known who is there. */
  &:empty {
    min-block-size: 100vh;
  }
`;
