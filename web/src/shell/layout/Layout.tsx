import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Boundary, Optional } from '../../ui/index.js';
import { CrashNotice } from '../CrashNotice.js';
import { useNavigation } from '../../ui/navigation.js';
import { lazyPart } from '../../lib/on-demand.js';

/** These load after the page, so that a visitor can write sooner. */
const loadFrame = () => import('./frame.js');
const Header = lazyPart(async () => (await loadFrame()).Header);
const Footer = lazyPart(async () => (await loadFrame()).Footer);
const ChatWidget = lazyPart(async () => (await loadFrame()).ChatWidget);

export function Layout({ footer, children }: { footer: boolean; children: ReactNode }) {
  const { pathname } = useNavigation();
  return (
    <>
      <Optional fallback={<HeaderSpace />} resetKey={pathname}>
        <Header />
      </Optional>
      <Main id="content">
        <Boundary notice={<CrashNotice />} resetKey={pathname}>
          {children}
        </Boundary>
      </Main>
      <Optional resetKey={pathname}>{footer && <Footer />}</Optional>
      <Optional resetKey={pathname}>
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
  outline: 0;
  &:empty {
    min-block-size: 100vh;
  }
`;
