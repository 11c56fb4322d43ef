import { ArchiveRestore, ArrowLeft, Ban, EyeOff, ListFilter, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { LoadFailure } from '../../ui/LoadFailure.js';
import {
  Badge,
  Button,
  ButtonLink,
  Card,
  ConfirmDialog,
  EmptyState,
  FilterChips,
  Icon,
  MessageShape,
  MessageSkeletons,
  Ornament,
  useOutcome,
  Row,
} from '../../ui/index.js';
import { useTimes, useTranslation, type Translate } from '../../i18n/index.js';
import { useLoadMore } from '../../lib/hooks.js';
import { isolate } from '../../lib/text.js';
import { textSize } from '../../theme/index.js';
import {
  useDiscardMessageMutation,
  useEmptyAsideMutation,
  useGetAsideInfiniteQuery,
  useRestoreMessageMutation,
} from './api.js';
import { AnsweredPrompt, type Message, MessageMeta, MessageMedia, MessageText } from '../../shared/message/index.js';

const REASONS = ['all', 'blocked', 'filtered'] as const;
type Reason = (typeof REASONS)[number];

function describeReason({ reason, matched = '' }: Message, t: Translate): string {
  if (reason === 'blocked') return t('messages.aside.blocked');
  if (matched === 'insults' || matched === 'scams') return t(`messages.aside.${matched}`);
  return t('messages.aside.word', { word: isolate(matched) });
}

export function AsideFolder({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const list = useGetAsideInfiniteQuery();
  const loadMore = useLoadMore(list.isFetching, () => list.fetchNextPage());
  const [empty, emptying] = useEmptyAsideMutation();
  const [reason, setReason] = useState<Reason>('all');
  const [confirming, setConfirming] = useState(false);
  const messages = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = messages.filter((message) => reason === 'all' || message.reason === reason);

  const confirm = async () => {
    const { error } = await empty();
    setConfirming(false);
    if (error !== undefined) say.failed(t('messages.aside.failed', { text: say.errors.text(error) }));
  };

  return (
    <>
      <Head>
        <div>
          {/* The opener is gone, and was far below. */}
          <Button variant="ghost" size="sm" autoFocus onClick={onBack}>
            <Icon of={ArrowLeft} flip />
            {t('messages.aside.back')}
          </Button>
        </div>
        <h2 id="messages-title">{t('messages.aside.title')}</h2>
        <p>{t('messages.aside.text')}</p>
      </Head>
      {list.data === undefined && list.error === undefined && <MessageSkeletons />}
      {list.data === undefined && list.error !== undefined && (
        <Card as="div">
          <LoadFailure error={list.error} retrying={list.isFetching} onRetry={() => void list.refetch()} />
        </Card>
      )}
      {messages.length > 0 && (
        <Row $gap={16} $between>
          <FilterChips
            label={t('messages.aside.reason')}
            value={reason}
            options={REASONS.map((value) => ({ value, label: t(`messages.aside.only.${value}`) }))}
            onChoose={setReason}
          />
          <Button variant="dangerGhost" onClick={() => setConfirming(true)}>
            {t('messages.aside.empty')}
          </Button>
        </Row>
      )}
      {shown.map((message) => (
        <AsideCard key={message.id} message={message} />
      ))}
      {list.data !== undefined && messages.length === 0 && (
        <EmptyState title={t('messages.aside.nothing')} text={t('messages.aside.nothingText')}>
          <ButtonLink to="/settings/receiving">{t('messages.aside.filters')}</ButtonLink>
        </EmptyState>
      )}
      {list.hasNextPage && (
        <Button block busy={list.isFetchingNextPage ? t('common.action.loading') : undefined} onClick={loadMore}>
          {t('common.action.loadMore')}
        </Button>
      )}
      <ConfirmDialog
        open={confirming}
        title={t('messages.aside.emptyTitle')}
        text={t('messages.aside.emptyText')}
        confirm={t('messages.aside.emptyConfirm')}
        busy={emptying.isLoading ? t('messages.remove.pending') : undefined}
        onConfirm={() => void confirm()}
        onCancel={() => setConfirming(false)}
      />
    </>
  );
}

function AsideCard({ message }: { message: Message }) {
  const { t } = useTranslation();
  const times = useTimes();
  const say = useOutcome();
  const [restore, restoring] = useRestoreMessageMutation();
  const [discard, discarding] = useDiscardMessageMutation();
  const { id, content, createdAt, reason, matched } = message;
  const busy = restoring.isLoading || discarding.isLoading;

  const takeBack = async () => {
    const { error } = await restore(id);
    if (error === undefined) say.done(t('messages.aside.restored'), t('messages.aside.restoredText'));
    else say.failed(t('messages.aside.failed', { text: say.errors.text(error) }));
  };
  const remove = async () => {
    const { error } = await discard(id);
    if (error === undefined) say.done(t('messages.remove.done'));
    else say.failed(t('messages.remove.failed', { text: say.errors.text(error) }));
  };

  const body = (
    <>
      <AnsweredPrompt prompt={message.prompt} />
      {content !== '' && <MessageText>{content}</MessageText>}
      <MessageMedia message={message} />
    </>
  );
  return (
    <MessageShape state="none" data-testid="aside-message" data-message-id={id}>
      <MessageMeta
        avatar={<Ornament bits={message.ornament} size={40} />}
        time={times.message(createdAt)}
        createdAt={createdAt}
      />
      {matched === 'insults' ? (
        <Veil>
          <summary>
            <Icon of={EyeOff} />
            {t('messages.aside.folded')}
          </summary>
          {body}
        </Veil>
      ) : (
        body
      )}
      <Badges>
        <Badge $tone="plain">
          <Icon of={reason === 'blocked' ? Ban : ListFilter} />
          {describeReason(message, t)}
        </Badge>
      </Badges>
      <Actions>
        <Button variant="soft" size="sm" disabled={busy} onClick={() => void takeBack()}>
          <Icon of={ArchiveRestore} />
          {t('messages.aside.restore')}
        </Button>
        <Button variant="dangerGhost" size="sm" disabled={busy} onClick={() => void remove()}>
          <Icon of={Trash2} />
          {t('messages.action.delete')}
        </Button>
      </Actions>
    </MessageShape>
  );
}

const Head = styled.header`
  display: grid;
  gap: 6px;
  h2 {
    ${textSize('24px', '21px')}
  }
  p {
    color: var(--ink-2);
  }
`;

const Veil = styled.details`
  margin-block-start: 14px;
  summary {
    display: flex;
    gap: 12px;
    align-items: center;
    min-block-size: 48px;
    padding: 10px 16px;
    border: 1px dashed var(--field);
    border-radius: 16px;
    border-end-start-radius: 5px;
    color: var(--ink-2);
    cursor: pointer;
    list-style: none;
  }
`;

const Badges = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
  margin-block-start: 14px;
  > span {
    white-space: normal;
    overflow-wrap: anywhere;
  }
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 4px;
  justify-content: space-between;
  margin-block-start: 16px;
  padding-block-start: 12px;
  border-block-start: 1px solid var(--line);
`;
