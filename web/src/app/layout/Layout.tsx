import { lazy, type ReactNode, Suspense } from 'react';
import { styled } from 'styled-components';
import { Boundary, Optional, PageLoading } from '../../components/index.js';
import { CrashNotice } from '../CrashNotice.js';
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
      <Optional fallback={<HeaderSpace />}>
        <Header />
      </Optional>
      <Main>
        <Boundary notice={<CrashNotice />} resetKey={pathname}>
          <Suspense fallback={<PageLoading />}>{children}</Suspense>
        </Boundary>
      </Main>
      <Optional>{footer && <Footer />}</Optional>
      <Optional>
        <ChatWidget />
      </Optional>
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
