import { styled } from 'styled-components';
import { useTranslation } from '../../i18n/index.js';
import { semibold, textSize } from '../../theme/index.js';
import type { WayBack } from './api.js';
import { useDay } from './use-day.js';

/** Sent, read, answered. A dashed dot has not happened yet. */
export function Steps({ wayBack: { createdAt, isRead, reply } }: { wayBack: WayBack }) {
  const { t } = useTranslation();
  const day = useDay();
  const at = (time: string) => (
    <time dateTime={time} suppressHydrationWarning>
      {day(time)}
    </time>
  );
  return (
    <List aria-label={t('wayBack.steps.label')}>
      <Step $look="done" $colour="gold">
        <span>
          {t('wayBack.steps.arrived')}
          {at(createdAt)}
        </span>
      </Step>
      {isRead === null ? (
        <Step $look="unknown">{t('wayBack.steps.notShown')}</Step>
      ) : (
        <Step $look={isRead ? 'done' : 'open'} $colour="mint">
          {t(isRead ? 'wayBack.steps.read' : 'wayBack.steps.unread')}
        </Step>
      )}
      <Step $look={reply === null ? 'open' : 'done'} $colour="violet">
        <span>
          {t(reply === null ? 'wayBack.steps.unanswered' : 'wayBack.steps.answered')}
          {reply !== null && at(reply.createdAt)}
        </span>
      </Step>
    </List>
  );
}

const List = styled.ol`
  display: grid;
  grid-template-columns: repeat(3, 1fr);
  margin-block: 18px 2px;
  padding-block-start: 16px;
  border-block-start: 1px solid var(--line);
  li + li::after {
    content: '';
    position: absolute;
    inset-block-start: 9px;
    inset-inline: calc(-100% + 26px) calc(100% + 6px);
    border-block-start: 1.5px solid var(--line-strong);
  }
`;

const DOTS = {
  done: 'border: 0;',
  open: 'border: 1.6px dashed var(--field); background: var(--surface);',
  unknown: 'border: 1.6px solid var(--line-strong); background: var(--surface);',
} as const;

const Step = styled.li<{ $look: keyof typeof DOTS; $colour?: 'gold' | 'mint' | 'violet' }>`
  display: grid;
  gap: 6px;
  align-content: start;
  justify-items: start;
  position: relative;
  padding-inline-end: 8px;
  line-height: 1.45;
  ${textSize('15.5px', '13.5px')}
  color: var(--ink-3);
  ${({ $look }) => $look === 'done' && 'color: var(--ink);'}
  ${({ $look }) => $look === 'done' && semibold}
  time {
    display: block;
    font-weight: 400;
    color: var(--ink-3);
  }
  &::before {
    content: '';
    inline-size: 13px;
    block-size: 13px;
    margin: 3px;
    border-radius: 28%;
    transform: rotate(45deg);
    background: ${({ $colour = 'gold' }) => `var(--${$colour})`};
    ${({ $look }) => DOTS[$look]}
  }
  @media (forced-colors: active) {
    &::before {
      forced-color-adjust: none;
    }
  }
`;
