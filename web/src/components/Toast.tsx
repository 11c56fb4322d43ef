import { Check, CircleAlert, Info, TriangleAlert, X, type LucideIcon } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useCallback, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { keyframes, styled } from 'styled-components';
import { textSize } from '../theme/index.js';
import { Icon } from './Icon.js';
import { IconButtonShape } from './IconButton.js';
import { ToastContext, type ToastContent, type ToastVariant } from './toast-context.js';

const DURATION = 5000;
const SWIPE_THRESHOLD = 50;

const ICONS: Record<ToastVariant, LucideIcon> = {
  default: Info,
  destructive: CircleAlert,
  success: Check,
  warning: TriangleAlert,
  info: Info,
};

const COLOURS: Record<ToastVariant, { ground: string; mark: string; bar: string }> = {
  default: { ground: 'var(--sunken)', mark: 'var(--ink)', bar: 'var(--ink)' },
  destructive: { ground: 'var(--danger-tint)', mark: 'var(--on-danger-tint)', bar: 'var(--danger)' },
  success: { ground: 'var(--mint-tint)', mark: 'var(--on-mint-tint)', bar: 'var(--mint)' },
  warning: { ground: 'var(--gold-tint)', mark: 'var(--on-gold-tint)', bar: 'var(--gold)' },
  info: { ground: 'var(--violet-tint)', mark: 'var(--on-violet-tint)', bar: 'var(--violet)' },
};

interface Shown {
  id: number;
  content: ToastContent;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Shown | null>(null);
  const [open, setOpen] = useState(false);

  const show = useCallback((content: ToastContent) => {
    setShown((last) => ({ id: (last?.id ?? 0) + 1, content }));
    setOpen(true);
  }, []);

  return (
    <ToastContext value={show}>
      <Radix.Provider
        duration={DURATION}
        swipeDirection="right"
        swipeThreshold={SWIPE_THRESHOLD}
        label={t('common.header.notifications')}
      >
        {children}
        {shown !== null && <Toast key={shown.id} content={shown.content} open={open} onOpenChange={setOpen} />}
        {/* A modal dialog hides the page from screen readers, except for live regions. `aria-live="off"` makes this one,
   without announcing twice: Radix already announces new toasts. */}
        <Region hotkey={['F8']} label={t('common.toast.region')} aria-live="off" />
      </Radix.Provider>
    </ToastContext>
  );
}

interface ToastProps {
  content: ToastContent;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function Toast({ content, open, onOpenChange }: ToastProps) {
  const { t } = useTranslation();
  const [paused, setPaused] = useState(false);
  const { variant = 'default', title, text, icon = ICONS[variant] } = content;
  const { ground, mark, bar } = COLOURS[variant];
  return (
    <Radix.Root
      asChild
      open={open}
      onOpenChange={onOpenChange}
      onPause={() => {
        setPaused(true);
      }}
      onResume={() => {
        setPaused(false);
      }}
      type={variant === 'destructive' ? 'foreground' : 'background'}
    >
      <Plate data-testid="toast" data-variant={variant}>
        <Round style={{ background: ground, color: mark }}>
          <Icon of={icon} flip={icon !== ICONS[variant]} />
        </Round>
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
        <TimeBar style={{ background: bar, animationPlayState: paused ? 'paused' : 'running' }} />
      </Plate>
    </Radix.Root>
  );
}

const arrive = keyframes`
  from { opacity: 0; translate: 0 8px; }
`;

const runOut = keyframes`
  to { inline-size: 0; }
`;

/* Bottom right in both languages, away from the assistant. Swiping right removes a toast. */
const Region = styled(Radix.Viewport)`
  position: fixed;
  z-index: ${({ theme }) => theme.depth.toast};
  inset-block-end: 24px;
  inline-size: min(400px, calc(100vw - 32px));
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
    /* Sheets have their buttons at the bottom, and full-screen panels their input. Show toasts at the top then. */
    :root:has([data-part='sheet']) & {
      inset-block: 16px auto;
    }
    :root:has([data-fills-phone]) & {
      inset-block: 84px auto;
    }
  }
`;

const Plate = styled.li`
  display: grid;
  grid-template-columns: auto 1fr auto;
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
  animation: ${arrive} var(--base) var(--ease);
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

const Round = styled.span`
  inline-size: 40px;
  block-size: 40px;
  border-radius: 50%;
  border-end-start-radius: 14%;
  display: grid;
  place-items: center;
  grid-row: span 2;
`;

const Close = styled(IconButtonShape)`
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
  animation: ${runOut} ${DURATION}ms linear forwards;
`;
