import { Suspense } from 'react';
import { Outlet, ScrollRestoration, useMatches } from 'react-router-dom';
import { styled } from 'styled-components';
import { PageLoading } from '../../components/index.js';
import { ChatWidget } from '../../features/chat/index.js';
import { ErrorBoundary } from '../ErrorBoundary.js';
import { Footer } from './Footer.js';
import { Header } from './Header.js';

interface Handle {
  /** False for pages that have no footer. */
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
  /* Keeps the height while the current user is loading. */
  &:empty {
    min-block-size: 100vh;
  }
`;
