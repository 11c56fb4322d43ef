import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { css, keyframes, styled } from 'styled-components';
import { Glyph, useToast } from '../../components/index.js';
import { useOnDemand } from '../../lib/on-demand.js';
import { useCurrentUser } from '../session/index.js';
import { hasConversations, type OpenStorage } from './conversation-key.js';

interface Props {
  storage?: OpenStorage;
}

const TEXTS = ['chat'] as const;
const loadPanel = async () => (await import('./ChatPanel.js')).ChatPanel;

async function forgetOthers(storage: OpenStorage, account: string | null): Promise<void> {
  const { deleteOtherConversations } = await import('./conversations.js');
  deleteOtherConversations(storage, account);
}

/** The assistant's button on every page. The panel is loaded on the first click. */
export function ChatWidget({ storage = browserStorage }: Props) {
  const { t } = useTranslation();
  const toast = useToast();
  const { user, loading } = useCurrentUser();
  const { Part: Panel, load, preload } = useOnDemand(loadPanel, TEXTS);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const account = user === null ? null : String(user.id);

  useEffect(() => {
    if (!loading && hasConversations(storage)) void forgetOthers(storage, account);
  }, [loading, account, storage]);

  useEffect(() => (button.current === null ? undefined : stepAside(button.current)), []);

  const openPanel = async () => {
    try {
      await load();
      setOpen(true);
    } catch {
      toast({ variant: 'missing', title: t('common.assistant.failed'), text: t('common.assistant.failedText') });
    }
  };

  return (
    <aside aria-label={t('common.assistant.landmark')}>
      <FloatingButton
        ref={button}
        type="button"
        aria-label={t('common.assistant.open')}
        aria-haspopup="dialog"
        aria-expanded={open}
        $hidden={open}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => void openPanel()}
      >
        <Glyph dots={2} />
      </FloatingButton>
      {Panel !== null && !loading && (
        <Panel
          key={account}
          user={user}
          storage={storage}
          open={open}
          onClose={() => {
            setOpen(false);
          }}
          onClosed={() => {
            if (button.current !== null) takeFocus(button.current);
          }}
        />
      )}
    </aside>
  );
}

const CONTROLS = ':is(main, footer) :is(a, button, input, textarea, label)';

/** A hidden button takes no focus, and it comes back only after a moment. */
function takeFocus(button: HTMLElement): void {
  button.removeAttribute('data-aside');
  button.style.transition = 'none';
  button.focus();
  button.style.removeProperty('transition');
}

/**
 * Marks the button while something that can be pressed lies under it. The page has room for it at its end, so it can always be
 * reached there.
 */
function stepAside(button: HTMLElement): () => void {
  let frame = 0;
  const look = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const isCovering = () =>
        [left, (left + right) / 2, right].some((x) =>
          [top, (top + bottom) / 2, bottom].some((y) =>
            document.elementsFromPoint(x, y).some((under) => under.closest(CONTROLS)),
          ),
        );
      button.toggleAttribute('data-aside', document.activeElement !== button && isCovering());
    });
  };
  const resized = new ResizeObserver(look);
  resized.observe(document.body);
  window.addEventListener('scroll', look, { passive: true });
  return () => {
    cancelAnimationFrame(frame);
    resized.disconnect();
    window.removeEventListener('scroll', look);
  };
}

const browserStorage = () => window.localStorage;

/* Pulses for 1500 ms, every 5000 ms. */
const pulse = keyframes`
  0% { box-shadow: var(--shadow-3), 0 0 0 0 color-mix(in srgb, var(--violet) 50%, transparent); }
  30%, 100% { box-shadow: var(--shadow-3), 0 0 0 16px transparent; }
`;

/* Bottom left in both languages. Toasts use the other side. */
const position = css`
  position: fixed;
  z-index: ${({ theme }) => theme.zIndex.assistant};
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

const FloatingButton = styled.button<{ $hidden: boolean }>`
  ${position}
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
  /* It would cover the end of a form. It comes back after a delay, so that a click on the form's button is not lost. */
  transition: visibility 0s 400ms;
  &[data-aside] {
    visibility: hidden;
    transition: none;
  }
  ${({ theme }) => theme.media.phone} {
    :root:has(main form:focus-within) & {
      visibility: hidden;
      transition: none;
    }
  }
`;
