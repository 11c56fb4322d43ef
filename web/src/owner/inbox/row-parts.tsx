import { type LucideIcon, Mic } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { currentRow, Icon, MessageShape, Spoken } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { previewSrc } from '../../lib/media.js';
import { DESK, textSize } from '../../theme/index.js';
import type { Message } from '../../shared/message/index.js';
import { toBars, Waveform } from '../../shared/player/index.js';
import { stateOf } from './card-parts.js';
import { Marked } from './search-parts.js';
import { useShortTime } from './times.js';

export interface Folded {
  /** On a desk: opens in the reading pane. */
  isRow: boolean;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

interface OpeningProps extends Omit<Folded, 'isRow'> {
  message: Message;
  searched: readonly string[];
  about: ReactNode;
  children: ReactNode;
}

export function Opening({ message, searched, isOpen, onToggle, about, children }: OpeningProps) {
  const { t } = useTranslation();
  const [isCut, setCut] = useState(false);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) onToggle(currentTarget.open);
      }}
    >
      <Summary>
        <Glance message={message} searched={searched} isOpen={isOpen} onCut={setCut} />
        <Line>
          {about}
          {isCut && <Rest>{t(isOpen ? 'common.message.less' : 'common.message.more')}</Rest>}
        </Line>
      </Summary>
      {isOpen && <Opened>{children}</Opened>}
    </details>
  );
}

export function Row({ message, searched, isOpen, onToggle, children }: Omit<OpeningProps, 'about'>) {
  return (
    <Summary as="button" type="button" aria-current={isOpen || undefined} onClick={() => onToggle(true)}>
      <Glance message={message} searched={searched} isOpen={false} />
      <Line>{children}</Line>
    </Summary>
  );
}

interface GlanceProps {
  message: Message;
  searched: readonly string[];
  isOpen: boolean;
  /** Called with whether lines are hidden, once known. */
  onCut?: (isCut: boolean) => void;
}

export function Glance({ message, searched, isOpen, onCut }: GlanceProps) {
  const { t } = useTranslation();
  const { duration } = useFormats();
  const { content, imageUrl, audioUrl, audioDuration, audioPeaks } = message;
  return (
    <>
      {audioUrl !== null && (
        <Voice>
          <Icon of={Mic} />
          <span>{t('messages.card.voice')}</span>
          <Waveform bars={toBars(audioPeaks)} />
          {audioDuration !== null && <span>{duration(audioDuration)}</span>}
        </Voice>
      )}
      {(content !== '' || imageUrl !== null) && (
        <Preview>
          <Words isOpen={isOpen} onCut={onCut} data-state={stateOf(message)}>
            <Marked text={content} words={searched} />
          </Words>
          {imageUrl !== null && !isOpen && (
            <Thumb src={previewSrc(imageUrl)} alt={t('common.message.image')} width={52} height={52} loading="lazy" />
          )}
        </Preview>
      )}
    </>
  );
}

interface WordsProps {
  isOpen: boolean;
  onCut: ((isCut: boolean) => void) | undefined;
  'data-state': string;
  children: ReactNode;
}

function Words({ isOpen, onCut, children, ...rest }: WordsProps) {
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const { current } = text;
    if (current === null || onCut === undefined || isOpen) return;
    // ResizeObserver runs after layout, so reading heights is free.
    const resized = new ResizeObserver(() => onCut(current.scrollHeight > current.clientHeight + 1));
    resized.observe(current);
    return () => resized.disconnect();
  }, [isOpen, onCut]);
  return (
    <ClampedText ref={text} dir="auto" data-testid="message-text" $isOpen={isOpen} {...rest}>
      {children}
    </ClampedText>
  );
}

export function Time({ createdAt }: { createdAt: string }) {
  const shortTime = useShortTime();
  return (
    <time dateTime={createdAt} suppressHydrationWarning>
      {shortTime(createdAt)}
    </time>
  );
}

/** An icon labelled for screen readers. */
export function Fact({ of, text, flip = false }: { of: LucideIcon; text: string; flip?: boolean }) {
  return (
    <>
      <Icon of={of} flip={flip} />
      <Spoken>{text}</Spoken>
    </>
  );
}

export const Shape = styled(MessageShape)`
  padding: 0;
  border-radius: 18px;
  border-end-start-radius: 6px;
  box-shadow: none;
  /* Horizontal drags are ours; the rest scrolls. */
  touch-action: pan-y pinch-zoom;
  > svg:first-child {
    inline-size: 50px;
    block-size: 13.2px;
    inset-inline-end: 18px;
  }
  @media ${DESK} {
    border-width: 0 0 1px;
    border-radius: 0;
    background: none;
    /* Focused by the keyboard, it is scrolled into view. */
    scroll-margin-block-end: 16px;
    > svg:first-child {
      display: none;
    }
  }
`;

export const Summary = styled.summary`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 3px;
  padding: 16px 20px 8px;
  border-radius: inherit;
  list-style: none;
  cursor: pointer;
  &::-webkit-details-marker {
    display: none;
  }
  &:focus-visible {
    outline-offset: -3px;
  }
  ${({ theme }) => theme.media.phone} {
    padding: 13px 16px 6px;
  }
  @media ${DESK} {
    position: relative;
    gap: 0;
    inline-size: 100%;
    padding: 10px 18px;
    padding-inline-start: 60px;
    border-radius: 0;
    text-align: start;
    &:hover {
      background: var(--sunken);
    }
    &[aria-current] {
      ${currentRow}
    }
    [data-part='ornament'] {
      position: absolute;
      inset-block-start: 13px;
      inset-inline-start: 18px;
    }
    time {
      color: var(--ink-2);
    }
  }
`;

const Preview = styled.span`
  display: flex;
  gap: 12px;
  align-items: center;
`;

const ClampedText = styled.span<{ $isOpen: boolean }>`
  flex: 1;
  min-inline-size: 0;
  ${({ $isOpen }) =>
    $isOpen
      ? 'display: block;'
      : `display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
  overflow: hidden;`}
  ${textSize('17.5px', '15.5px')}
  line-height: 1.486;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
  text-align: start;
  :lang(en) & {
    line-height: 1.549;
  }
  &[data-state='unread'] {
    font-weight: 500;
  }
  @media ${DESK} {
    -webkit-line-clamp: 2;
    ${textSize('16.5px', '15px')}
    line-height: 1.5625rem;
    :lang(en) & {
      line-height: 1.4375rem;
    }
    &[data-state='unread'] {
      font-weight: 700;
    }
  }
`;

const Thumb = styled.img`
  inline-size: 52px;
  block-size: 52px;
  object-fit: cover;
  border-radius: 12px;
  border-end-start-radius: 4px;
  background: var(--sunken);
  flex: none;
`;

const Voice = styled.span`
  display: flex;
  gap: 10px;
  align-items: center;
  ${textSize('17.5px', '15.5px')}
  line-height: 1.625rem;
  svg {
    color: var(--violet-text);
  }
  [data-part='wave'] {
    block-size: 22px;
    max-inline-size: 150px;
  }
`;

export const Line = styled.span`
  display: flex;
  flex-wrap: wrap;
  gap: 0 8px;
  align-items: center;
  min-block-size: 28px;
  color: var(--ink-3);
  ${textSize('14.5px', '13px')}
  line-height: 1.25rem;
  @media ${DESK} {
    min-block-size: 22px;
  }
  > svg:not([data-part], [data-letter]) {
    inline-size: 15px;
    block-size: 15px;
  }
`;

const Rest = styled.span`
  margin-inline-start: auto;
  color: var(--violet-text);
  font-weight: 700;
`;

const Opened = styled.div`
  padding: 0 20px 10px;
  ${({ theme }) => theme.media.phone} {
    padding: 0 16px 8px;
  }
`;
