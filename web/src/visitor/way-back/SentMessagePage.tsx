import type { ComponentProps } from 'react';
import { Navigate } from 'react-router-dom';
import { PageFailure } from '../../ui/LoadFailure.js';
import { Avatar, ButtonLink, Handle, optionalPart, PageLoading } from '../../ui/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import { messageRequest } from '../../lib/message-request.js';
import { firstName, isolate } from '../../lib/text.js';
import { Turns, WhoseTurn } from '../../shared/message/index.js';
import { useGetSentMessageQuery } from './api.js';
import { Hint, NarrowColumn, Recipient } from './NarrowColumn.js';

const Composer = optionalPart(async () => (await import('../public-page/index.js')).Composer);

/** For the next message of a conversation. */
export function FurtherComposer({ recipient, unsent }: Omit<ComponentProps<typeof Composer>, 'next'>) {
  const { t } = useTranslation();
  const name = isolate(firstName(recipient.name));
  const head = <Hint>{t('wayBack.talk.hint', { name })}</Hint>;
  const next = { head, placeholder: t('wayBack.talk.field'), request: messageRequest };
  return <Composer recipient={recipient} unsent={unsent} next={next} />;
}

/** Goes on with a conversation of the account, also on a device without its way back. */
export function SentMessagePage({ id }: { id: string }) {
  const { t } = useTranslation();
  const { currentData: message, error, refetch, isFetching } = useGetSentMessageQuery(id);
  useDocumentTitle(t('wayBack.page.title'));
  if (message === undefined)
    return error === undefined ? (
      <PageLoading label={t('wayBack.page.opening')} />
    ) : (
      <PageFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />
    );
  if (message?.recipient == null) return <Navigate to="/profile" replace />;
  const { recipient, userId, reply, canWrite = false } = message;
  const answer = { imageUrl: null, audioUrl: null, audioDuration: null, audioPeaks: null, ornament: null };
  return (
    <NarrowColumn>
      <Recipient>
        <Avatar person={{ ...recipient, id: userId, avatar: null }} size="lg" />
        <div>
          <h1>{t('wayBack.page.to', { name: isolate(recipient.name) })}</h1>
          <p>
            <Handle username={recipient.username} />
          </p>
        </div>
      </Recipient>
      <Turns
        turns={[
          { ...message, from: 'sender' },
          ...(reply === null ? [] : [{ ...answer, ...reply, id: 0, from: 'recipient' as const }]),
        ]}
        reader="sender"
        owner={recipient}
      />
      <WhoseTurn id="composer-title" whose={canWrite ? 'yours' : 'waiting'} />
      {canWrite && <FurtherComposer recipient={{ ...recipient, id: userId, follows: message.id }} unsent={undefined} />}
      <div data-last-action>
        <ButtonLink to={`/profile#sent-${id}`}>{t('wayBack.talk.sent')}</ButtonLink>
      </div>
    </NarrowColumn>
  );
}
