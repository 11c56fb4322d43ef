import type { ReactNode, RefObject } from 'react';
import { keyframes, styled } from 'styled-components';
import { MenuPanel } from '../../ui/index.js';

interface Props {
  opener: RefObject<HTMLButtonElement | null>;
  className?: string;
  children: ReactNode;
}

export function MenuSheet({ opener, className, children }: Props) {
  return (
    <Sheet
      align="end"
      sideOffset={6}
      className={className}
      onPointerUpCapture={(event) => {
        // The sheet rises under the pointer: this click's release must not choose an action.
        const { left, right, top, bottom } = opener.current!.getBoundingClientRect();
        const { clientX: x, clientY: y } = event;
        if (x >= left && x <= right && y >= top && y <= bottom) event.preventDefault();
      }}
      onCloseAutoFocus={() => {
        // After an outside tap Radix does not return the focus.
        if (document.activeElement === document.body) opener.current?.focus({ preventScroll: true });
      }}
    >
      {children}
    </Sheet>
  );
}

const rise = keyframes`
  from { translate: 0 100%; }
`;

const dim = keyframes`
  from { opacity: 0; }
`;

/** Part of the positioned element: a tap on the scrim closes the menu and hits nothing beneath. */
const Sheet = styled(MenuPanel)`
  ${({ theme }) => theme.media.phone} {
    [data-radix-popper-content-wrapper]:has(> &) {
      inset: auto 0 0 !important;
      min-inline-size: 0 !important;
      transform: none !important;
      z-index: ${({ theme }) => theme.zIndex.dialog} !important;
      &::before {
        content: '';
        position: fixed;
        inset: 0;
        background: var(--scrim);
        animation: ${dim} var(--base) var(--ease);
      }
    }
    position: relative;
    max-block-size: 100dvh;
    overflow-y: auto;
    padding: 10px 12px 20px;
    padding-block-end: max(20px, env(safe-area-inset-bottom));
    border: 0;
    border-radius: 28px 28px 0 0;
    background: var(--surface);
    animation-name: ${rise};
    &::before {
      content: '';
      display: block;
      inline-size: 40px;
      block-size: 4px;
      border-radius: 4px;
      margin: 2px auto 10px;
      background: var(--line-strong);
    }
    > [role='menuitem'] {
      min-block-size: 44px;
    }
  }
`;
