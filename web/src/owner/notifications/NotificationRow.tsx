import { LIMITS } from '@najwa/proto/http/client';
import { Eye, Flag } from 'lucide-react';
import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { Link } from '../../ui/navigation.js';
import { Glyph, Icon, Ornament, StatusDot, StatusLetter } from '../../ui/index.js';
import { useTimes, useTranslation } from '../../i18n/index.js';
import { isolate } from '../../lib/text.js';
import { semibold, small, tiny } from '../../theme/index.js';
import { useGetByIdsQuery } from '../inbox/index.js';
import type { Notification } from './api.js';

/** Notifications shown as one row, the newest first: messages that arrived one after the other, or one of another kind. */
export type Group = readonly [Notification, ...Notification[]];

export function groupsOf(notifications: readonly Notification[]): Group[] {
  const groups: [Notification, ...Notification[]][] = [];
  for (const one of notifications) {
    const last = groups.at(-1);
    const isAlike = ({ kind, readAt }: Notification): boolean =>
      kind === 'message' && one.kind === kind && (one.readAt === null) === (readAt === null);
    if (last !== undefined && last.length < LIMITS.page.max && isAlike(last[0])) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

type Tone = 'letter' | 'rose' | 'mint' | 'gold' | 'plain';

interface Shown {
  to: string;
  tone: Tone;
  icon: ReactNode;
  title: string;
  text?: string | undefined;
}

function useShown([notification, ...others]: Group): Shown {
  const { t } = useTranslation();
  switch (notification.kind) {
    case 'message':
      return {
        to: '/profile#messages',
        tone: 'rose',
        icon: <Glyph dots={1} />,
        title: t('notifications.message', { count: others.length + 1 }),
        text: others.length === 0 ? t('notifications.messageText') : undefined,
      };
    case 'reply': {
      const { messageId, username, excerpt } = notification.subject;
      return {
        to: `/profile#sent-${String(messageId)}`,
        tone: 'letter',
        icon: <StatusLetter status="answered" size={26} />,
        title: t('notifications.reply', { name: isolate(`@${username}`) }),
        text: t('notifications.replyText', { text: isolate(excerpt) }),
      };
    }
    case 'report': {
      const { outcome } = notification.subject;
      return {
        to: '/settings/receiving',
        tone: outcome === 'dismissed' ? 'plain' : 'mint',
        icon: <Icon of={Flag} />,
        title: t('notifications.report'),
        text: t(`notifications.outcome.${outcome}`),
      };
    }
    case 'visits':
      return {
        to: '/profile',
        tone: 'gold',
        icon: <Icon of={Eye} />,
        title: t('notifications.visits', { count: notification.subject.visits }),
      };
  }
}

export function NotificationRow({ group, onOpen }: { group: Group; onOpen: () => void }) {
  const { t } = useTranslation();
  const times = useTimes();
  const { to, tone, icon, title, text } = useShown(group);
  const { readAt, createdAt } = group[0];
  const isUnread = readAt === null;
  return (
    <li>
      <Row to={to} onClick={onOpen} data-testid="notification">
        <Disc $tone={tone}>{icon}</Disc>
        <span>
          <Title $unread={isUnread}>{title}</Title>
          {text !== undefined && <Text>{text}</Text>}
          {group.length > 1 && <Ornaments group={group} />}
          <time dateTime={createdAt}>{times.relative(createdAt)}</time>
        </span>
        {isUnread && <Dot $colour="var(--rose-strong)" role="img" aria-label={t('notifications.unread')} />}
      </Row>
    </li>
  );
}

/** As many as fit in a line. */
const MOST_ORNAMENTS = 8;

function Ornaments({ group }: { group: Group }) {
  const ids = group.flatMap(({ kind, subject }) => (kind === 'message' ? [subject.messageId] : []));
  const { data = [] } = useGetByIdsQuery(ids.slice(0, MOST_ORNAMENTS));
  return (
    <Drawings>
      {data.map(({ id, ornament }) => (
        <Ornament key={id} bits={ornament} size={24} />
      ))}
    </Drawings>
  );
}

const Row = styled(Link)`
  display: grid;
  grid-template-columns: 44px minmax(0, 1fr) 12px;
  gap: 14px;
  align-items: start;
  padding: 12px 20px;
  border-block-start: 1px solid var(--line);
  text-align: start;
  &:hover {
    background: var(--sunken);
  }
  time {
    color: var(--ink-3);
    ${tiny}
  }
`;

const TONES: Record<Tone, ReturnType<typeof css>> = {
  letter: css`
    background: var(--surface);
    color: var(--ink);
    box-shadow: inset 0 0 0 1px var(--line-strong);
  `,
  rose: css`
    background: var(--rose-tint);
    color: var(--on-rose-tint);
  `,
  mint: css`
    background: var(--mint-tint);
    color: var(--on-mint-tint);
  `,
  gold: css`
    background: var(--gold-tint);
    color: var(--on-gold-tint);
  `,
  plain: css`
    background: var(--sunken);
    color: var(--ink-2);
  `,
};

const Disc = styled.span<{ $tone: Tone }>`
  inline-size: 44px;
  block-size: 44px;
  border-radius: 50%;
  border-end-start-radius: 14%;
  display: grid;
  place-items: center;
  ${({ $tone }) => TONES[$tone]}
  > svg[viewBox='0 0 64 64'] {
    inline-size: 26px;
    block-size: 26px;
    translate: 0 -2px;
  }
  [data-part='dots'] {
    fill: currentColor;
  }
`;

const Title = styled.b<{ $unread: boolean }>`
  display: block;
  font-weight: 500;
  line-height: 1.5;
  ${({ $unread }) => $unread && semibold}
`;

const Text = styled.span`
  display: block;
  color: var(--ink-2);
  overflow-wrap: anywhere;
  ${small}
`;

const Drawings = styled.span`
  display: flex;
  gap: 8px;
  min-block-size: 28px;
  align-items: center;
`;

const Dot = styled(StatusDot)`
  margin-block-start: 10px;
`;
