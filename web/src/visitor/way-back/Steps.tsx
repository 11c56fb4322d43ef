import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { type SentStatus, sentStatusOf, Spoken, statusIcon, StatusLetter } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { semibold, textSize } from '../../theme/index.js';
import type { WayBack } from './api.js';
import { useDay } from './use-day.js';

/** Reading has no sentence where the owner hides it. */
export const spokenStatusOf = (wayBack: WayBack): SentStatus | 'notShown' => {
  const status = sentStatusOf(wayBack);
  return status === 'arrived' && wayBack.isRead === null ? 'notShown' : status;
};

export function Status({ wayBack }: { wayBack: WayBack }) {
  const { t } = useTranslation();
  const status = sentStatusOf(wayBack);
  const [first] = useState(status);
  const changed = status === first || status === 'arrived' ? null : status;
  useTabIcon(status);
  return (
    <Group role="group" aria-label={t(`wayBack.status.spoken.${spokenStatusOf(wayBack)}`)}>
      <Big status={status} size={96} isNew={changed !== null} />
      <div>
        <h2>{t(`wayBack.status.${status}`)}</h2>
        {status === 'arrived' && (
          <p>{t(wayBack.isRead === null ? 'wayBack.status.notShown' : 'wayBack.steps.unread')}</p>
        )}
        {status === 'read' && <p>{t('wayBack.steps.unanswered')}</p>}
      </div>
      <Spoken as="p" role="status">
        {changed !== null && t(`wayBack.status.changed.${changed}`)}
      </Spoken>
    </Group>
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
      <Step $done>
        <StatusLetter status="arrived" size={32} />
        <span>
          {t('wayBack.steps.arrived')}
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

const Group = styled.div`
  display: flex;
  gap: 18px;
  align-items: center;
  h2 {
    ${textSize('26px', '23px')}
    font-weight: 900;
    line-height: 1.4;
    :lang(en) & {
      font-weight: 800;
      letter-spacing: -0.022em;
      line-height: 1.4;
    }
  }
  p {
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.phone} {
    gap: 14px;
  }
`;

const Big = styled(StatusLetter)`
  color: var(--violet);
  ${({ theme }) => theme.media.phone} {
    inline-size: 76px;
    block-size: 76px;
  }
`;

const List = styled.ol`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 8px;
  margin-block: 18px;
  padding-block-start: 16px;
  border-block-start: 1px solid var(--line);
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
