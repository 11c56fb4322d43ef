import { ArrowDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { Icon, type SentStatus, sentStatusOf, Spoken, statusIcon, StatusLetter } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { firstName, isolate } from '../../lib/text.js';
import { headline, semibold, textSize } from '../../theme/index.js';
import type { WayBack } from './api.js';
import { useDay } from './use-day.js';

/** Reading has no sentence where the owner hides it. */
export const spokenStatusOf = (wayBack: WayBack): SentStatus | 'notShown' => {
  const status = sentStatusOf(wayBack);
  return status === 'arrived' && wayBack.isRead === null ? 'notShown' : status;
};

/** The state alone, as large as the screen. Its message is a press away. */
export function Poster({ wayBack, target }: { wayBack: WayBack; target: string }) {
  const { t } = useTranslation();
  const status = sentStatusOf(wayBack);
  const spoken = spokenStatusOf(wayBack);
  const [first] = useState(status);
  const changed = status === first || status === 'later' || status === 'arrived' ? null : status;
  const name = isolate(firstName(wayBack.recipient.name));
  useTabIcon(status);
  return (
    <Ground role="group" aria-label={t(`wayBack.status.spoken.${spoken}`)}>
      <Big status={status} size={369} isNew={changed !== null} />
      <h2>{t(`wayBack.status.${status}`)}</h2>
      <p>{spoken === 'notShown' ? t('wayBack.status.notShown') : t(`wayBack.status.${status}Text`, { name })}</p>
      <a href={`#${target}`}>
        {t(status === 'answered' ? 'wayBack.status.readReply' : 'wayBack.status.yours')}
        <Icon of={ArrowDown} size="sm" />
      </a>
      <Spoken as="p" role="status">
        {changed !== null && t(`wayBack.status.changed.${changed}`)}
      </Spoken>
    </Ground>
  );
}

function useTabIcon(status: SentStatus): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link === null) return undefined;
    const { href } = link;
    link.href = statusIcon(status);
    return () => {
      link.href = href;
    };
  }, [status]);
}

export function Steps({ wayBack: { createdAt, isRead, reply, arrivesBy, turns } }: { wayBack: WayBack }) {
  const { t } = useTranslation();
  const day = useDay();
  const isOnItsWay = arrivesBy !== undefined && turns.length < 2;
  const at = (time: string) => (
    <time dateTime={time} suppressHydrationWarning>
      {day(time)}
    </time>
  );
  return (
    <List aria-label={t('wayBack.steps.label')}>
      <Step $done={!isOnItsWay}>
        <StatusLetter status="arrived" size={32} pending={isOnItsWay} />
        <span>
          {t(isOnItsWay ? 'wayBack.steps.later' : 'wayBack.steps.arrived')}
          {at(createdAt)}
        </span>
      </Step>
      <Step $done={isRead === true}>
        <StatusLetter status="read" size={32} pending={isRead !== true} />
        <span>
          {t(isRead === null ? 'wayBack.steps.notShown' : isRead ? 'wayBack.steps.read' : 'wayBack.steps.unread')}
        </span>
      </Step>
      <Step $done={reply !== null}>
        <StatusLetter status="answered" size={32} pending={reply === null} />
        <span>
          {t(reply === null ? 'wayBack.steps.unanswered' : 'wayBack.steps.answered')}
          {reply !== null && at(reply.createdAt)}
        </span>
      </Step>
    </List>
  );
}

/** The same in both themes, but for the ground. */
const Ground = styled.section`
  display: grid;
  justify-items: center;
  align-content: center;
  gap: 20px;
  position: relative;
  min-block-size: calc(100svh - 81px);
  ${({ theme }) => theme.media.phone} {
    min-block-size: calc(100svh - 65px);
  }
  padding: 40px 24px 96px;
  background: #6c47ff;
  color: #fff;
  text-align: center;
  @media (prefers-color-scheme: dark) {
    background: #5637db;
  }
  h2 {
    ${headline('40px', '38px', 1.4, 1.26, -0.028)}
  }
  > p {
    ${textSize('18px', '16px')}
    line-height: 1.65;
    max-inline-size: 16em;
    overflow-wrap: anywhere;
  }
  a {
    position: absolute;
    inset-block-end: 20px;
    display: inline-flex;
    gap: 8px;
    align-items: center;
    min-block-size: 48px;
    padding-inline: 20px;
    background: #fff;
    color: #4f2bdb;
    font-weight: 700;
    border-radius: 16px;
    border-end-start-radius: 5px;
  }
  a:focus-visible {
    outline-color: #fff;
  }
`;

const Big = styled(StatusLetter)`
  /* The bowl is four fifths of it. */
  inline-size: min(369px, 55svh, 100%);
  block-size: auto;
  path:nth-child(2) {
    fill: #f5b94a;
  }
  path:nth-child(3) {
    fill: #9ff0cf;
  }
  path:nth-child(4) {
    fill: #16132a;
  }
`;

const List = styled.ol`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 8px;
  margin-block-end: 18px;
  ${({ theme }) => theme.media.phone} {
    gap: 4px;
  }
`;

const Step = styled.li<{ $done: boolean }>`
  display: grid;
  grid-template-columns: 32px minmax(0, 1fr);
  gap: 0 10px;
  align-items: center;
  line-height: 1.4;
  ${textSize('15.5px', '13.5px')}
  color: ${({ $done }) => ($done ? 'var(--ink)' : 'var(--ink-3)')};
  ${({ $done }) => $done && semibold}
  time {
    display: block;
    font-weight: 400;
    color: var(--ink-3);
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    gap: 4px;
    align-content: start;
  }
`;
