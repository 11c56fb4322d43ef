import { useEffect, useRef, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { css, keyframes, styled } from 'styled-components';
import { Glyph, useToast } from '../../components/index.js';
import { useCurrentUser } from '../session/index.js';
import type { ChatPanelProps } from './ChatPanel.js';
import { forgetAccounts, type OpenStorage } from './conversations.js';

interface Props {
  storage?: OpenStorage;
}

/** The assistant's button on every page. The window behind it is loaded when it is opened for the first time. */
export function ChatWidget({ storage = browserStorage }: Props) {
  const { t } = useTranslation();
  const toast = useToast();
  const { user, loading } = useCurrentUser();
  const [Panel, setPanel] = useState<ComponentType<ChatPanelProps> | null>(null);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const account = user === null ? null : String(user.id);

  useEffect(() => {
    if (!loading) forgetAccounts(storage, account);
  }, [loading, account, storage]);

  const openPanel = async () => {
    try {
      const { ChatPanel } = await import('./ChatPanel.js');
      setPanel(() => ChatPanel);
      setOpen(true);
    } catch {
      toast({ variant: 'destructive', title: t('chat.connection.failed'), text: t('chat.connection.failedText') });
    }
  };

  return (
    <aside aria-label={t('chat.landmark')}>
      <Fab
        ref={button}
        type="button"
        aria-label={t('chat.open')}
        aria-haspopup="dialog"
        aria-expanded={open}
        $hidden={open}
        onClick={() => void openPanel()}
      >
        <Glyph dots={2} />
      </Fab>
      {Panel !== null && !loading && (
        <Panel
          key={account}
          user={user}
          storage={storage}
          open={open}
          onClose={() => {
            setOpen(false);
          }}
          onClosed={() => button.current?.focus()}
        />
      )}
    </aside>
  );
}

const browserStorage = () => window.localStorage;

/* Every 5000 ms for 1500 ms. */
const pulse = keyframes`
  0% { box-shadow: var(--shadow-3), 0 0 0 0 color-mix(in srgb, var(--violet) 50%, transparent); }
  30%, 100% { box-shadow: var(--shadow-3), 0 0 0 16px transparent; }
`;

/* Bottom left in both languages: toasts come up on the other side. */
const place = css`
  position: fixed;
  z-index: ${({ theme }) => theme.depth.assistant};
  inset-block-end: 20px;
  border-radius: 50%;
  [dir='rtl'] & {
    inset-inline-end: 12px;
    border-end-end-radius: 14%;
  }
  [dir='ltr'] & {
    inset-inline-start: 12px;
    border-end-start-radius: 14%;
  }
  ${({ theme }) => theme.media.phone} {
    inset-block-end: 16px;
    [dir='rtl'] & {
      inset-inline-end: 16px;
    }
    [dir='ltr'] & {
      inset-inline-start: 16px;
    }
  }
`;

const Fab = styled.button<{ $hidden: boolean }>`
  ${place}
  inline-size: 56px;
  block-size: 56px;
  background: var(--violet);
  color: var(--on-violet);
  display: grid;
  place-items: center;
  box-shadow: var(--shadow-3);
  visibility: ${({ $hidden }) => ($hidden ? 'hidden' : 'visible')};
  animation: ${pulse} 5000ms ease-out infinite;
  &:hover {
    background: var(--violet-hover);
  }
  svg {
    inline-size: 34px;
    block-size: 34px;
    translate: 0 -3px;
  }
  [data-part='dots'] {
    fill: var(--gold);
  }
  /* On a phone it would lie over the end of a form; it leaves while one is filled in, and comes back once a press there has landed. */
  ${({ theme }) => theme.media.phone} {
    transition: visibility 0s 400ms;
    :root:has(main form:focus-within) & {
      visibility: hidden;
      transition: none;
    }
  }
`;
