import type { Answer } from '@najwa/proto/http/client';
import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { firstName, isolate } from '../../lib/text.js';
import { semibold, textSize, tiny } from '../../theme/index.js';
import { FoldedText, Stack, StatusDot } from '../../ui/index.js';
import { MessageMedia } from './MessageMedia.js';

export type Turn = Answer<'getWayBack'>['turns'][number];

interface Props {
  turns: readonly Turn[];
  reader: Turn['from'];
  /** Names their turns to the sender. */
  owner?: { name: string };
}

/** The reader's own words stand at the end of the line. */
export function Turns({ turns, reader, owner }: Props) {
  const { t } = useTranslation();
  const { date } = useFormats();
  return (
    <Stack as="ol" $gap={10} aria-label={t('wayBack.talk.label')}>
      {turns.map((turn) => {
        const { id, from, content, imageUrl, audioUrl, createdAt } = turn;
        const time = date(createdAt);
        return (
          <TurnBubble
            as="li"
            key={`${from}-${String(id)}`}
            $mine={from === reader}
            $isWide={imageUrl !== null || audioUrl !== null}
            data-testid="turn"
          >
            {content !== '' && <FoldedText dir="auto">{content}</FoldedText>}
            <MessageMedia message={turn} time={time} />
            {from === 'recipient' && owner !== undefined && (
              <b>{t('common.message.replied', { name: isolate(firstName(owner.name)) })} </b>
            )}
            <time dateTime={createdAt} suppressHydrationWarning>
              {time}
            </time>
          </TurnBubble>
        );
      })}
    </Stack>
  );
}

export type Whose = 'yours' | 'waiting' | 'ended';

/** Takes the focus from a field that has just gone. */
export function WhoseTurn({ whose, ...rest }: { whose: Whose; id?: string; 'data-turn'?: string }) {
  const { t } = useTranslation();
  const line = useRef<HTMLParagraphElement>(null);
  const before = useRef(whose);
  useEffect(() => {
    if (before.current !== whose && document.activeElement === document.body)
      line.current?.focus({ preventScroll: true });
    before.current = whose;
  }, [whose]);
  return (
    <Line ref={line} role="status" tabIndex={-1} $yours={whose === 'yours'} {...rest}>
      {whose === 'yours' && <StatusDot $size={12} $colour="var(--rose-strong)" />}
      {whose === 'waiting' && (
        <Dots aria-hidden="true">
          <StatusDot />
          <StatusDot />
          <StatusDot />
        </Dots>
      )}
      {t(`wayBack.talk.${whose}`)}
    </Line>
  );
}

export const TurnBubble = styled.article<{ $mine?: boolean; $isWide?: boolean }>`
  justify-self: ${({ $mine }) => ($mine ? 'end' : 'start')};
  max-inline-size: min(86%, 560px);
  ${({ $isWide }) => $isWide && 'inline-size: 100%;'}
  padding: 12px 18px 10px;
  border: 1px solid ${({ $mine }) => ($mine ? 'transparent' : 'var(--line)')};
  border-radius: 22px;
  ${({ $mine }) => ($mine ? 'border-end-end-radius: 6px' : 'border-end-start-radius: 6px')};
  background: ${({ $mine }) => ($mine ? 'var(--violet-tint)' : 'var(--surface)')};
  > p[dir] {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    text-align: start;
    ${textSize('19px', '16.5px')}
    line-height: 1.68;
  }
  time,
  b {
    color: var(--ink-2);
    ${tiny}
  }
`;

const Line = styled.p<{ $yours: boolean }>`
  display: flex;
  gap: 10px;
  align-items: center;
  justify-content: center;
  min-block-size: 36px;
  color: ${({ $yours }) => ($yours ? 'var(--on-violet-tint)' : 'var(--ink-2)')};
  ${textSize('15.5px', '14px')}
  ${semibold}
`;

const Dots = styled.span`
  display: inline-flex;
  gap: 6px;
  color: var(--violet-text);
`;
