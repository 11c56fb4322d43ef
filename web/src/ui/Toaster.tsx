import { Check, CircleAlert, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/index.js';
import { keyframes, styled } from 'styled-components';
import { textSize } from '../theme/index.js';
import { isReplaced, loadNewBuild } from '../lib/replaced.js';
import { Button } from './Button.js';
import { Icon } from './Icon.js';
import { IconButtonBase } from './IconButton.js';
import { PAGE_FAILED, type ToastContent, type ToastVariant } from './toast-context.js';

const DURATION = 5000;
const SWIPE_THRESHOLD = 50;

const ICONS: Record<ToastVariant, LucideIcon> = {
  default: Info,
  destructive: CircleAlert,
  missing: CircleAlert,
  success: Check,
  warning: TriangleAlert,
  info: Info,
};

const COLOURS: Record<ToastVariant, { background: string; foreground: string; bar: string }> = {
  default: { background: 'var(--sunken)', foreground: 'var(--ink)', bar: 'var(--ink)' },
  destructive: { background: 'var(--danger-tint)', foreground: 'var(--on-danger-tint)', bar: 'var(--danger)' },
  missing: { background: 'var(--danger-tint)', foreground: 'var(--on-danger-tint)', bar: 'var(--danger)' },
  success: { background: 'var(--mint-tint)', foreground: 'var(--on-mint-tint)', bar: 'var(--mint)' },
  warning: { background: 'var(--gold-tint)', foreground: 'var(--on-gold-tint)', bar: 'var(--gold)' },
  info: { background: 'var(--violet-tint)', foreground: 'var(--on-violet-tint)', bar: 'var(--violet)' },
};

export interface CurrentToast {
  id: number;
  content: ToastContent;
}

export interface ToasterProps {
  shown: CurrentToast | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function Toaster({ shown, open, onOpenChange }: ToasterProps) {
  const { t } = useTranslation();
  const region = useRef<HTMLOListElement>(null);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (!open) return undefined;
    const avoidFocus = () => {
      if (region.current !== null && coversFocus(region.current)) setAway((before) => !before);
    };
    avoidFocus();
    document.addEventListener('focusin', avoidFocus);
    return () => {
      document.removeEventListener('focusin', avoidFocus);
      setAway(false);
    };
  }, [open]);
  useEffect(() => {
    const load = () => void loadNewBuild();
    window.addEventListener(PAGE_FAILED, load);
    return () => window.removeEventListener(PAGE_FAILED, load);
  }, []);
  return (
    <Radix.Provider
      duration={DURATION}
      swipeDirection="right"
      swipeThreshold={SWIPE_THRESHOLD}
      label={t('common.header.notifications')}
    >
      {shown !== null && <Toast key={shown.id} content={shown.content} open={open} onOpenChange={onOpenChange} />}
      {/* A modal dialog hides all but live regions. `aria-live="off"` makes this one without announcing twice: Radix
         announces new toasts. */}
      <Region
        ref={region}
        hotkey={['F8']}
        label={t('common.toast.region')}
        aria-live="off"
        data-away={isAway || undefined}
      />
    </Radix.Provider>
  );
}

/** The toasts cover the middle of the focused element. */
function coversFocus(region: Element): boolean {
  const { activeElement: focused } = document;
  if (focused === null || focused === document.body || region.contains(focused)) return false;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const area = region.getBoundingClientRect();
  return x >= area.left && x <= area.right && y >= area.top && y <= area.bottom;
}

/** Longer than others: it has a button. */
const REPLACED_DURATION = 20_000;

/** If a part is missing because of a newer build, offers to load that. */
function useReason(content: ToastContent): ToastContent {
  const { t } = useTranslation();
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    if (content.variant === 'missing') void isReplaced().then(setOld);
  }, [content.variant]);
  if (!isOld) return content;
  return {
    variant: 'info',
    title: t('common.failure.replaced'),
    text: (
      <Button size="sm" onClick={() => window.location.reload()}>
        {t('common.failure.reload')}
      </Button>
    ),
    duration: REPLACED_DURATION,
  };
}

interface ToastProps {
  content: ToastContent;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function Toast({ content, open, onOpenChange }: ToastProps) {
  const { t } = useTranslation();
  const [paused, setPaused] = useState(false);
  const { variant = 'default', title, text, icon = ICONS[variant], duration = DURATION } = useReason(content);
  const { background, foreground, bar } = COLOURS[variant];
  return (
    <Radix.Root
      asChild
      duration={duration}
      open={open}
      onOpenChange={onOpenChange}
      onPause={() => setPaused(true)}
      onResume={() => setPaused(false)}
      type={variant === 'destructive' || variant === 'missing' ? 'foreground' : 'background'}
    >
      <ToastElement data-testid="toast" data-variant={variant}>
        <IconCircle style={{ background, color: foreground }}>
          <Icon of={icon} flip={icon !== ICONS[variant]} />
        </IconCircle>
        <Radix.Title asChild>
          <b>{title}</b>
        </Radix.Title>
        <Radix.Close asChild>
          <Close $size="sm" aria-label={t('common.action.close')}>
            <Icon of={X} size="sm" />
          </Close>
        </Radix.Close>
        {text !== undefined && (
          <Radix.Description asChild>
            <p>{text}</p>
          </Radix.Description>
        )}
        <TimeBar
          style={{
            background: bar,
            animationDuration: `${String(duration)}ms`,
            animationPlayState: paused ? 'paused' : 'running',
          }}
        />
      </ToastElement>
    </Radix.Root>
  );
}

const fadeUp = keyframes`
  from { opacity: 0; translate: 0 8px; }
`;

const shrink = keyframes`
  to { inline-size: 0; }
`;

/* Bottom right in both languages, away from the assistant, or above the focus there. Swiping right dismisses. */
const Region = styled(Radix.Viewport)`
  position: fixed;
  z-index: ${({ theme }) => theme.zIndex.toast};
  inset-block-end: 24px;
  inline-size: min(400px, calc(100vw - 32px));
  &[data-away] {
    inset-block: 24px auto;
  }
  /* Keeps the only action at a page's end free. Not data-part: each added element would restyle all icons in lists. */
  :root:has([data-last-action]) & {
    inset-block: 24px auto;
    &[data-away] {
      inset-block: auto 24px;
    }
  }
  [dir='rtl'] & {
    inset-inline-start: 24px;
  }
  [dir='ltr'] & {
    inset-inline-end: 24px;
  }
  ${({ theme }) => theme.media.phone} {
    inset-block-end: 16px;
    inline-size: auto;
    [dir] & {
      inset-inline: 16px;
    }
    &[data-away] {
      inset-block: 16px auto;
    }
    /* On top over sheets and full-screen panels, whose controls are at the bottom. */
    :root:has([data-sheet], [data-last-action]) & {
      inset-block: 16px auto;
    }
    :root:has([data-fills-phone]) & {
      inset-block: 84px auto;
    }
    :root:has([data-sheet], [data-last-action], [data-fills-phone]) &[data-away] {
      inset-block: auto 16px;
    }
  }
`;

const ToastElement = styled.li`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr) auto;
  gap: 4px 14px;
  align-items: start;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 20px;
  border-end-start-radius: 6px;
  padding: 16px 18px;
  box-shadow: var(--shadow-3);
  position: relative;
  overflow: hidden;
  color: var(--ink);
  animation: ${fadeUp} var(--base) var(--ease);
  b {
    ${textSize('16.5px', '15px')}
    line-height: 1.5;
    align-self: center;
    :lang(en) & {
      font-weight: 600;
    }
  }
  p {
    grid-column: 2;
    ${textSize('15px', '14px')}
    line-height: 1.6;
    color: var(--ink-2);
  }
  &[data-swipe='move'] {
    transform: translateX(var(--radix-toast-swipe-move-x));
  }
  &[data-swipe='cancel'] {
    transform: none;
    transition: transform var(--base) var(--ease);
  }
  &[data-swipe='end'] {
    transform: translateX(110%);
    transition: transform var(--base) var(--ease);
  }
`;

const IconCircle = styled.span`
  inline-size: 40px;
  block-size: 40px;
  border-radius: 50%;
  border-end-start-radius: 14%;
  display: grid;
  place-items: center;
  grid-row: span 2;
`;

const Close = styled(IconButtonBase)`
  color: var(--ink-3);
  margin-block: -6px 0;
  margin-inline: 0 -8px;
  grid-column: 3;
  grid-row: 1;
`;

const TimeBar = styled.i`
  position: absolute;
  inset-block-end: 0;
  inset-inline-start: 0;
  block-size: 3px;
  inline-size: 100%;
  opacity: 0.9;
  animation: ${shrink} linear forwards;
`;
