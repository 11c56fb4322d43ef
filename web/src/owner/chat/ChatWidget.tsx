import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { css, keyframes, styled } from 'styled-components';
import { Glyph, useToast } from '../../ui/index.js';
import { useOnDemand } from '../../lib/on-demand.js';
import { device } from '../../lib/storage.js';
import { useCurrentUser } from '../../shared/session/index.js';

const TEXTS = ['chat'] as const;

/** Window event: the phone's menu also opens the assistant, where its button would cover something. */
export const OPEN_ASSISTANT = 'open-assistant';

const loadPanel = async () => (await import('./ChatPanel.js')).ChatPanel;

async function forgetOthers(account: string | null): Promise<void> {
  const { deleteOtherConversations } = await import('./conversations.js');
  deleteOtherConversations(account);
}

/** The panel loads on the first click. */
export function ChatWidget() {
  const { t } = useTranslation();
  const toast = useToast();
  const { user, loading } = useCurrentUser();
  const { Part: Panel, load, preload } = useOnDemand(loadPanel, TEXTS);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const account = user === null ? null : String(user.id);

  useEffect(() => {
    // Most visitors have none and need no code for it.
    if (!loading && device.read('conversations') !== null) void forgetOthers(account);
  }, [loading, account]);

  useEffect(() => (button.current === null ? undefined : hideOverForms(button.current)), []);

  const openPanel = async () => {
    try {
      await load();
      setOpen(true);
    } catch {
      toast({ variant: 'missing', title: t('common.assistant.failed'), text: t('common.assistant.failedText') });
    }
  };

  const openFromMenu = useEffectEvent(() => void openPanel());
  useEffect(() => {
    const open = () => openFromMenu();
    window.addEventListener(OPEN_ASSISTANT, open);
    return () => window.removeEventListener(OPEN_ASSISTANT, open);
  }, []);

  return (
    <aside aria-label={t('common.assistant.landmark')} data-scripts>
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
          open={open}
          onClose={() => setOpen(false)}
          onClosed={() => {
            if (button.current !== null) takeFocus(button.current);
          }}
        />
      )}
    </aside>
  );
}

const CONTROLS = ':is(main, footer) :is(a, button, input, textarea, label, summary)';
/** Clearance around the button, in pixels. */
const CLEARANCE = 8;
/** Trailing throttle in milliseconds: each check costs a slow phone a frame. */
const CHECK_MS = 100;

/** A hidden button takes no focus and reappears with a delay. */
function takeFocus(button: HTMLElement): void {
  button.removeAttribute('data-aside');
  button.style.transition = 'none';
  button.focus();
  button.style.removeProperty('transition');
}

const [COLUMNS, ROWS] = [3, 4];

/** Whether words lie under a box. It looks at some points of it, which costs less than to measure every text. */
function hasWords({ left, top, right, bottom, width, height }: DOMRect): boolean {
  const range = document.createRange();
  const isIn = (box: DOMRect) => box.right > left && box.left < right && box.bottom > top && box.top < bottom;
  for (let point = 0; point < COLUMNS * ROWS; point += 1) {
    const x = left + (width * (point % COLUMNS)) / (COLUMNS - 1);
    const y = top + (height * Math.floor(point / COLUMNS)) / (ROWS - 1);
    // Words also show through what lies over them.
    for (const { childNodes } of document.elementsFromPoint(x, y))
      for (const node of childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() === '') continue;
        range.selectNode(node);
        if ([...range.getClientRects()].some(isIn)) return true;
      }
  }
  return false;
}

/** Hides the button while it covers a control, or words. Every page leaves room for it at its end. */
function hideOverForms(button: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    timer = undefined;
    const place = button.getBoundingClientRect();
    const { left, right, top, bottom } = place;
    const isUnder = (control: Element): boolean => {
      const box = control.getBoundingClientRect();
      const isLeftOrRight = box.right <= left - CLEARANCE || box.left >= right + CLEARANCE;
      const isAboveOrBelow = box.bottom <= top - CLEARANCE || box.top >= bottom + CLEARANCE;
      // Safari before 17.4 lacks this check for folded content.
      return (
        box.width > 0 &&
        !isLeftOrRight &&
        !isAboveOrBelow &&
        (control as Partial<Element>).checkVisibility?.() !== false
      );
    };
    const isCovering = () => [...document.querySelectorAll(CONTROLS)].some(isUnder) || hasWords(place);
    button.toggleAttribute('data-aside', document.activeElement !== button && isCovering());
  };
  const lookSoon = () => {
    timer ??= setTimeout(look, CHECK_MS);
  };
  const resized = new ResizeObserver(lookSoon);
  resized.observe(document.body);
  // A change in the shorter column leaves the page's height as it was.
  const changed = new MutationObserver(lookSoon);
  changed.observe(document.body, { childList: true, subtree: true });
  const ended = new AbortController();
  // Image loads do not bubble, so capture them.
  for (const event of ['scroll', 'resize', 'load'])
    window.addEventListener(event, lookSoon, { passive: true, capture: true, signal: ended.signal });
  document.fonts.addEventListener('loadingdone', lookSoon, { signal: ended.signal });
  return () => {
    clearTimeout(timer);
    resized.disconnect();
    changed.disconnect();
    ended.abort();
  };
}

/* Pulses for 1500 ms, every 5000 ms. */
const pulse = keyframes`
  0% { opacity: 0.22; transform: none; }
  30%, 100% { opacity: 0; transform: scale(1.4); }
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
    inset-block-end: 12px;
  }
`;

const FloatingButton = styled.button<{ $hidden: boolean }>`
  ${position}
  inline-size: 52px;
  block-size: 52px;
  background: none;
  color: var(--ink);
  border: 0;
  display: grid;
  place-items: center;
  visibility: ${({ $hidden }) => ($hidden ? 'hidden' : 'visible')};
  &::before,
  &::after {
    content: '';
    position: absolute;
    z-index: -1;
    inset: 0;
    border-radius: inherit;
    pointer-events: none;
  }
  &::before {
    background: var(--ink);
    opacity: 0;
    animation: ${pulse} 5000ms ease-out infinite;
  }
  &::after {
    background: var(--surface);
    border: 1px solid var(--line-strong);
    box-shadow: var(--shadow-2);
  }
  &:hover::after {
    border-color: var(--ink-2);
  }
  svg {
    inline-size: 30px;
    block-size: 30px;
    translate: 0 -3px;
  }
  [data-part='dots'] {
    fill: currentColor;
  }
  /* Delayed, so that a click on the form's button is not lost. */
  transition: visibility 0s 400ms;
  &[data-aside] {
    visibility: hidden;
    transition: none;
  }
  ${({ theme }) => theme.media.phone} {
    inline-size: 44px;
    block-size: 44px;
    svg {
      inline-size: 26px;
      block-size: 26px;
    }
    :root:has(main form:focus-within) & {
      visibility: hidden;
      transition: none;
    }
  }
`;
