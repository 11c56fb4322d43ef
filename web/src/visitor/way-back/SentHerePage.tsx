import { Info, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { css, styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import { Link } from '../../ui/navigation.js';
import { useErrorText } from '../../api/use-error-text.js';
import {
  FACTS_GAP,
  Avatar,
  Button,
  ButtonLink,
  Callout,
  Card,
  ConfirmDialog,
  EmptyState,
  Handle,
  Icon,
  IconButton,
  Ornament,
  sentStatusOf,
  Skeleton,
  Spoken,
  StatusLetter,
  Tooltip,
  useToast,
} from '../../ui/index.js';
import { useDocumentTitle, useTexts, useTranslation } from '../../i18n/index.js';
import { forgetDrafts, hasDrafts } from '../../lib/drafts.js';
import { KEPT_DAYS } from '../../lib/kept-for.js';
import { forgetAllWaysBack, noteUse, type SavedWayBack, useSavedWaysBack } from '../../lib/kept-ways.js';
import { withoutBidiControls } from '../../lib/text.js';
import { headline, semibold, textSize, tiny } from '../../theme/index.js';
import { useGetWayBackQuery, type WayBack, withLast } from './api.js';
import { forgetWaiting, Outbox } from '../outbox/index.js';
import { useCurrentUser } from '../../shared/session/index.js';
import { NarrowColumn } from './NarrowColumn.js';
import { spokenStatusOf } from './Steps.js';
import { useDay } from './use-day.js';
import { useForgetWayBack } from './use-forget-way.js';

const OUTBOX_TEXTS = ['outbox'] as const;

/** Each row makes a call. */
const PAGE = 10;

export function SentHerePage() {
  const { t } = useTranslation();
  const toast = useToast();
  const { user } = useCurrentUser();
  const ways = useSavedWaysBack(user?.id ?? null);
  const [shown, setShown] = useState(PAGE);
  const [isAsking, setIsAsking] = useState(false);
  const [hasWaiting, setHasWaiting] = useState(false);
  const [hasTexts, setHasTexts] = useState(hasDrafts);
  useTexts(OUTBOX_TEXTS);
  useDocumentTitle(t('wayBack.list.title'));

  return (
    <NarrowColumn>
      <Title>{t('wayBack.list.title')}</Title>
      <Text>{t('wayBack.list.text')}</Text>
      <Outbox onWaitingChange={setHasWaiting} />
      {ways.length === 0 && !hasWaiting && !hasTexts ? (
        <EmptyState level={2} title={t('wayBack.list.empty')} text={t('wayBack.list.emptyText')}>
          <ButtonLink to="/">{t('common.action.backHome')}</ButtonLink>
        </EmptyState>
      ) : (
        <>
          {(['own', 'anyone'] as const).map((whose) => (
            <Section
              key={whose}
              whose={whose}
              ways={ways.slice(0, shown).filter(({ account }) => (account === null) === (whose === 'anyone'))}
            />
          ))}
          {ways.length > shown && (
            <Button block onClick={() => setShown((before) => before + PAGE)}>
              {t('common.action.loadMore')}
            </Button>
          )}
          <Callout tone="plain" icon={Info} text={t(ways.length > 0 ? 'wayBack.list.stays' : 'wayBack.list.unsent')}>
            <Button onClick={() => setIsAsking(true)}>{t('wayBack.list.forget')}</Button>
          </Callout>
        </>
      )}
      <ConfirmDialog
        open={isAsking}
        title={t('wayBack.list.forgetTitle')}
        text={t('wayBack.list.forgetText')}
        confirm={t('wayBack.list.forget')}
        onConfirm={() => {
          setIsAsking(false);
          forgetAllWaysBack();
          forgetDrafts();
          setHasTexts(false);
          void forgetWaiting();
          import('../../lib/push-change.js')
            .then(({ endReplySubscriptions }) => endReplySubscriptions(() => true))
            .catch(ignore);
          toast({ variant: 'success', title: t('wayBack.list.forgotten') });
        }}
        onCancel={() => setIsAsking(false)}
      />
    </NarrowColumn>
  );
}

const ignore = () => undefined;

/** Links of the signed-in account, or of visitors, which any user of this device sees. */
function Section({ whose, ways }: { whose: 'own' | 'anyone'; ways: readonly SavedWayBack[] }) {
  const { t } = useTranslation();
  const id = useId();
  if (ways.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Whose id={id}>{t(`wayBack.list.${whose}`)}</Whose>
      <Text>{t(`wayBack.list.${whose}Text`, { days: KEPT_DAYS })}</Text>
      <List aria-labelledby={id}>
        {ways.map((way) => (
          <Row key={way.path} way={way} />
        ))}
      </List>
    </section>
  );
}

function Row({ way }: { way: SavedWayBack }) {
  const { t } = useTranslation();
  const day = useDay();
  const forget = useForgetWayBack();
  const errors = useErrorText();
  const { currentData: wayBack, error } = useGetWayBackQuery(way.path.slice('/r/'.length));
  const isGone = isApiError(error) && error.status === 404;
  const isOpen = wayBack !== undefined;
  useEffect(() => {
    if (isOpen) noteUse(way.path);
  }, [isOpen, way.path]);
  const facts = (
    <small>
      {t('wayBack.list.to')} <Handle username={way.username} />
      {FACTS_GAP}
      <time dateTime={way.sentAt}>{day(way.sentAt)}</time>
    </small>
  );

  const forgetting = (
    <Tooltip text={t('wayBack.list.forgetOne')}>
      <IconButton label={t('wayBack.list.forgetOne')} size="sm" onClick={() => forget(way.path)}>
        <Icon of={X} size="sm" />
      </IconButton>
    </Tooltip>
  );

  if (wayBack === undefined || isGone) {
    const name = { id: 0, name: way.username, avatar: null };
    return (
      <li>
        <EmptyLine>
          <Avatar person={name} />
          <span>
            {isGone ? (
              <Quiet>{t('wayBack.list.gone')}</Quiet>
            ) : error === undefined ? (
              <Skeleton $inline="70%" $block="14px" />
            ) : (
              <Quiet>{t('wayBack.list.failed', { text: errors.text(error) })}</Quiet>
            )}
            {facts}
          </span>
        </EmptyLine>
        {forgetting}
      </li>
    );
  }
  return (
    <li>
      <Line to={way.path}>
        <Ornament bits={wayBack.ornament} size={44} />
        <span>
          {/* Without its own direction, the line's would cut off the beginning. */}
          <b dir="auto">{wayBack.content === '' ? t('wayBack.list.voice') : withoutBidiControls(wayBack.content)}</b>
          {facts}
        </span>
        <State wayBack={withLast(wayBack)} />
      </Line>
      {forgetting}
    </li>
  );
}

function State({ wayBack }: { wayBack: WayBack }) {
  const { t } = useTranslation();
  const status = sentStatusOf(wayBack);
  return (
    <Said>
      <StatusLetter status={status} />
      <span aria-hidden="true">{t(`wayBack.steps.${status}`)}</span>
      <Spoken>{t(`wayBack.status.spoken.${spokenStatusOf(wayBack)}`)}</Spoken>
    </Said>
  );
}

const Said = styled.span`
  display: inline-flex;
  gap: 8px;
  align-items: center;
  white-space: nowrap;
  ${semibold}
  ${textSize('15px', '13px')}
`;

const Title = styled.h1`
  ${headline('34px', '30px', 1.4, 1.3)}
`;

const Text = styled.p`
  color: var(--ink-2);
`;

const Whose = styled.h2`
  ${textSize('21px', '19px')}
  line-height: 1.5;
  margin-block-end: 4px;
`;

const List = styled(Card).attrs({ as: 'ul' })`
  padding-block: 10px;
  margin-block-start: 10px;
  li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 6px;
    align-items: center;
  }
  li + li {
    border-block-start: 1px solid var(--line);
  }
`;

const line = css`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr) auto;
  gap: 14px;
  align-items: center;
  padding-block: 14px;
  min-block-size: 72px;
  > span:nth-child(2) {
    min-inline-size: 0;
  }
  b {
    display: block;
    font-weight: 500;
    line-height: 1.6;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    text-align: start;
  }
  small {
    color: var(--ink-3);
    ${tiny}
  }
  time {
    white-space: nowrap;
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: auto minmax(0, 1fr);
    gap: 6px 14px;
    > :nth-child(3) {
      grid-column: 2;
      justify-self: start;
    }
  }
`;

const Line = styled(Link)`
  ${line}
`;

const EmptyLine = styled.div`
  ${line}
`;

const Quiet = styled.span`
  display: block;
  color: var(--ink-2);
`;
