import { LIMITS } from '@najwa/proto/http/client';
import { CircleSlash, Globe, Lock, type LucideIcon, MailOpen, PencilLine, Trash2 } from 'lucide-react';
import { type ReactNode, use, useEffect, useState } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import { RetryButton } from '../../ui/LoadFailure.js';
import { Link } from '../../ui/navigation.js';
import { useErrorText } from '../../api/use-error-text.js';
import {
  IconNote,
  FACTS_GAP,
  Avatar,
  Badge,
  Button,
  ButtonLink,
  ConfirmDialog,
  Handle,
  Icon,
  MessageShape,
  NoticePage,
  PageLoading,
  useOutcome,
  Row,
} from '../../ui/index.js';
import { useDocumentTitle, useFormats, useTranslation } from '../../i18n/index.js';
import { useDepartures } from '../../lib/hooks.js';
import { useIsInApp } from '../../lib/in-app.js';
import { forgetWayBack, noteUse, useSavedWaysBack } from '../../lib/kept-ways.js';
import { useOfflinePage } from '../../lib/service-worker.js';
import { accountHere } from '../../lib/signed-in.js';
import { firstName, isolate } from '../../lib/text.js';
import { small } from '../../theme/index.js';
import { ReplyPushToggle } from '../../shared/push/index.js';
import { useLiveWayBack } from '../../shared/live/index.js';
import {
  AnsweredPrompt,
  MessageMeta,
  MessageMedia,
  MessageText,
  ReplyBubble,
  type Turn,
  Turns,
  WhoseTurn,
} from '../../shared/message/index.js';
import {
  useDeleteWayBackMutation,
  useEndWayBackMutation,
  useGetWayBackQuery,
  useLazyGetEarlierTurnsQuery,
  type WayBack,
  type WayBackAct,
  WayBackDataContext,
  withLast,
} from './api.js';
import { CopyWay } from './CopyWay.js';
import { Hint, NarrowColumn, Recipient } from './NarrowColumn.js';
import { OwnOrnament } from './OwnOrnament.js';
import { FurtherComposer, SentMessagePage } from './SentMessagePage.js';
import { Poster, Steps } from './Steps.js';
import { useForgetWayBack } from './use-forget-way.js';

export function WayBackPage() {
  const { token } = useParams();
  const [search] = useSearchParams();
  return token === undefined ? <SentMessagePage id={search.get('id') ?? ''} /> : <PageOfToken token={token} />;
}

function PageOfToken({ token }: { token: string }) {
  const { t } = useTranslation();
  const errors = useErrorText();
  const { currentData: wayBack, error, refetch, isFetching } = useGetWayBackQuery(token);
  const written = use(WayBackDataContext);
  useDocumentTitle(t('wayBack.page.title'));
  const home = (
    <ButtonLink to="/" variant="primary">
      {t('common.action.backHome')}
    </ButtonLink>
  );

  if (written?.asked?.outcome === 'done' && written.wayBack !== null)
    return (
      <NoticePage
        title={t(written.asked.act === 'end' ? 'wayBack.talk.ended' : 'wayBack.remove.done')}
        text={t(written.asked.act === 'end' ? 'wayBack.talk.endText' : 'wayBack.remove.doneText', {
          name: isolate(firstName(written.wayBack.recipient.name)),
        })}
      >
        {home}
      </NoticePage>
    );
  if (written?.wayBack === null || (isApiError(error) && error.status === 404))
    return (
      <NoticePage title={t('wayBack.gone.title')} text={t('wayBack.gone.text')}>
        {home}
      </NoticePage>
    );
  if (wayBack !== undefined) return <Message token={token} wayBack={wayBack} />;
  if (error === undefined) return <PageLoading label={t('wayBack.page.opening')} />;
  return (
    <NoticePage title={t('wayBack.page.loadFailed')} text={errors.text(error)}>
      <RetryButton variant="primary" retrying={isFetching} onRetry={() => void refetch()} />
    </NoticePage>
  );
}

const MESSAGE = 'message';
const LAST = 'last';

/** After the first message and its answer, which stand apart. */
function laterTurns({ turns }: WayBack): Turn[] {
  const first = (turns.length < LIMITS.turns ? turns[0]?.id : undefined) ?? 1;
  return turns.filter(({ id }) => id > first + 1);
}

interface MessageProps {
  token: string;
  wayBack: WayBack;
}

function Message({ token, wayBack }: MessageProps) {
  const { t } = useTranslation();
  const { recipient, canWrite, hasEnded } = wayBack;
  const later = laterTurns(wayBack);
  const last = withLast(wayBack);
  const isTalk = later.length > 0;
  const goesOn = isTalk || canWrite;
  const forget = useForgetWayBack();
  const inApp = useIsInApp();
  const name = isolate(firstName(recipient.name));
  const path = `/r/${token}`;
  const isKept = useSavedWaysBack(accountHere()).some((way) => way.path === path);
  useLiveWayBack(token);
  useOfflinePage();
  useEffect(() => {
    noteUse(path);
  }, [path]);
  const ofLast = <OfLast token={token} wayBack={last} name={name} isOnly={!isTalk} />;
  return (
    <>
      {last.reply === null && (
        <Arrived data-no-scripts>
          <b>{t(wayBack.arrivesBy === undefined ? 'wayBack.plain.title' : 'wayBack.status.later')}</b>
          <p>{t('wayBack.plain.text')}</p>
          {/* In-app browsers show no address, but offer to copy a link. */}
          <a href={path}>{t('wayBack.link')}</a>
        </Arrived>
      )}
      <Poster wayBack={last} target={isTalk ? LAST : MESSAGE} />
      <NarrowColumn id={MESSAGE}>
        <Recipient>
          <Avatar person={recipient} size="lg" />
          <div>
            <h1>{t('wayBack.page.to', { name: isolate(recipient.name) })}</h1>
            <p>
              <Handle username={recipient.username} />
            </p>
          </div>
        </Recipient>
        <FirstMessage wayBack={wayBack}>{!isTalk && ofLast}</FirstMessage>
        {isTalk && (
          <section id={LAST}>
            <LaterTurns token={token} turns={later} owner={recipient} />
            {ofLast}
          </section>
        )}
        {goesOn && <WhoseTurn id="composer-title" whose={canWrite ? 'yours' : hasEnded ? 'ended' : 'waiting'} />}
        <Further token={token} wayBack={wayBack} />
        <Actions data-last-action>
          <ButtonLink
            to={`/m/${recipient.username}`}
            variant={inApp || canWrite || (isTalk && !hasEnded) ? 'secondary' : 'primary'}
          >
            <Icon of={PencilLine} />
            {t(goesOn ? 'wayBack.talk.new' : 'wayBack.page.again', { name })}
          </ButtonLink>
          <CopyWay path={path} variant={inApp ? 'primary' : 'secondary'} shares={inApp} />
        </Actions>
        {inApp && <Hint>{t('wayBack.inApp')}</Hint>}
        <IconNote>
          <Icon of={Lock} size="sm" />
          <span>{t('wayBack.page.secret')}</span>
        </IconNote>
        <Row $gap={16} $between>
          <ListLink to="/r">{t('wayBack.list.title')}</ListLink>
          {isKept && (
            <Button variant="ghost" onClick={() => forget(path)}>
              {t('wayBack.list.forgetOne')}
            </Button>
          )}
          {goesOn && !hasEnded && <Ending token={token} name={name} />}
        </Row>
      </NarrowColumn>
    </>
  );
}

function FirstMessage({ wayBack, children }: { wayBack: WayBack; children: ReactNode }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const { recipient, content, createdAt, reply } = wayBack;
  const time = dateTime(createdAt);
  return (
    <MessageShape state="sent" data-testid="way-back-message">
      <Steps wayBack={wayBack} />
      <Head>
        <MessageMeta
          avatar={<OwnOrnament bits={wayBack.ornament} size={40} />}
          name={t('wayBack.page.wrote')}
          time={time}
          createdAt={createdAt}
        />
        {wayBack.isPublic && (
          <Badge $tone="violet">
            <Icon of={Globe} />
            {t('wayBack.page.public')}
          </Badge>
        )}
      </Head>
      <AnsweredPrompt prompt={wayBack.prompt} />
      {content !== '' && <MessageText>{content}</MessageText>}
      <MessageMedia message={wayBack} time={time} />
      {reply !== null && <ReplyBubble reply={reply} owner={recipient} premium={false} />}
      {children}
    </MessageShape>
  );
}

/** The form for the next message. */
function Further({ token, wayBack: { recipient, turns, canWrite } }: MessageProps) {
  const { unsent } = use(WayBackDataContext) ?? {};
  const departures = useDepartures();
  const [turnsAtFirst] = useState(turns.length);
  const kept = turns.length === turnsAtFirst && departures === 0 ? unsent : undefined;
  // Words stay in the form when the conversation ends meanwhile.
  const [writableAt, setWritableAt] = useState<number>();
  if (canWrite && writableAt !== turns.length) setWritableAt(turns.length);
  if (writableAt !== turns.length && kept === undefined) return null;
  return (
    <>
      <FurtherComposer
        key={`${String(turns.length)}-${String(departures)}`}
        recipient={{ ...recipient, follows: token }}
        unsent={kept}
      />
      <input type="hidden" name="key" form="message-form" value={turns.length} />
    </>
  );
}

interface LastProps extends MessageProps {
  name: string;
  /** Without it, the way back has nothing. */
  isOnly: boolean;
}

/** For the last message: news of its reply, and its deletion. */
function OfLast(props: LastProps) {
  const { t } = useTranslation();
  const { asked } = use(WayBackDataContext) ?? {};
  const refused = asked?.act === 'delete' ? asked.outcome : undefined;
  const { reply, hasEnded, canDelete } = props.wayBack;
  return (
    <>
      {reply === null && !hasEnded && (
        <Tell>
          <ReplyPushToggle token={props.token} />
        </Tell>
      )}
      {canDelete ? (
        <Deletion {...props} />
      ) : (
        typeof refused === 'object' && (
          <DeletionRow role="alert">
            {t(refused.code === 'too_late' ? 'wayBack.remove.tooLate' : 'wayBack.remove.readFirst')}
            {FACTS_GAP}
            {t('wayBack.remove.notFromHere')}
          </DeletionRow>
        )
      )}
    </>
  );
}

function LaterTurns({ token, turns, owner }: { token: string; turns: Turn[]; owner: WayBack['recipient'] }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [earlier, setEarlier] = useState<Turn[]>([]);
  const [isWhole, setIsWhole] = useState(false);
  const [load, { isFetching }] = useLazyGetEarlierTurnsQuery();
  const before = (earlier[0] ?? turns[0])?.id ?? 0;
  const showEarlier = async () => {
    try {
      const found = (await load({ token, before }).unwrap()).filter(({ id }) => id > 2);
      setIsWhole(found.length === 0);
      setEarlier((shown) => [...found, ...shown]);
    } catch {
      say.failed(t('wayBack.page.loadFailed'));
    }
  };
  return (
    <>
      {turns.length > LIMITS.turns - 2 && before > 3 && !isWhole && (
        <Button block disabled={isFetching} onClick={() => void showEarlier()}>
          {t('wayBack.talk.earlier')}
        </Button>
      )}
      <Turns turns={[...earlier, ...turns]} reader="sender" owner={owner} />
    </>
  );
}

interface AskedFormProps {
  act: WayBackAct;
  token: string;
  icon: LucideIcon;
  words: Record<'action' | 'title' | 'text' | 'failed', string>;
  hint?: string;
  /** Label during the call. */
  busy: string | undefined;
  onConfirm: () => Promise<void>;
}

/** Asks in a dialog, or without scripts on a page of its own. */
function AskedForm({ act, token, icon, words, hint, busy, onConfirm }: AskedFormProps) {
  const { action, title, text, failed } = words;
  const data = use(WayBackDataContext);
  const asked = data?.asked?.act === act ? data.asked : undefined;
  const [isAsking, setIsAsking] = useState(false);
  const close = () => setIsAsking(false);
  const Line = act === 'end' && asked === undefined ? 'div' : DeletionRow;
  return (
    <form
      method="post"
      id={act}
      action={`/r/${token}${act === 'end' ? '?end' : ''}#${act}`}
      onSubmit={(event) => {
        event.preventDefault();
        setIsAsking(true);
      }}
    >
      <Line>
        {asked !== undefined && asked.outcome === undefined ? (
          <span>
            <b>{title}</b> {text}
            <input type="hidden" name="confirm" value="yes" />
          </span>
        ) : (
          <span>
            {asked !== undefined && <b role="alert">{failed} </b>}
            {hint}
          </span>
        )}
        <Button type="submit" variant={act === 'end' ? 'ghost' : 'dangerGhost'}>
          <Icon of={icon} />
          {action}
        </Button>
      </Line>
      <ConfirmDialog
        open={isAsking}
        title={title}
        text={text}
        confirm={action}
        busy={busy}
        onConfirm={() => {
          void onConfirm().finally(close);
        }}
        onCancel={close}
      />
    </form>
  );
}

function Ending({ token, name }: { token: string; name: string }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [end, { isLoading }] = useEndWayBackMutation();
  const confirm = async () => {
    try {
      await end(token).unwrap();
      forgetWayBack(`/r/${token}`);
      say.done(t('wayBack.talk.ended'));
    } catch (error) {
      say.failed(t('wayBack.talk.endFailed'), error);
    }
  };
  return (
    <AskedForm
      act="end"
      token={token}
      icon={CircleSlash}
      words={{
        action: t('wayBack.talk.end'),
        title: t('wayBack.talk.endTitle'),
        text: t('wayBack.talk.endText', { name }),
        failed: t('wayBack.talk.endFailed'),
      }}
      busy={isLoading ? t('wayBack.talk.ending') : undefined}
      onConfirm={confirm}
    />
  );
}

function Deletion({ token, wayBack, name, isOnly }: LastProps) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [remove, { isLoading }] = useDeleteWayBackMutation();
  const confirm = async () => {
    try {
      await remove(token).unwrap();
    } catch (error) {
      const code = isApiError(error) ? error.code : null;
      if (code === 'already_read' || code === 'too_late') {
        const title = t(code === 'already_read' ? 'wayBack.remove.readFirst' : 'wayBack.remove.tooLate');
        say.toast({ variant: 'warning', icon: MailOpen, title, text: t('wayBack.remove.notFromHere') });
      } else say.failed(t('wayBack.remove.failed'), error);
      return;
    }
    if (isOnly) forgetWayBack(`/r/${token}`);
    const text = t('wayBack.remove.doneText', { name });
    say.toast({ variant: 'success', icon: Trash2, title: t('wayBack.remove.done'), text });
  };
  const until = wayBack.arrivesBy !== undefined ? 'untilArrival' : wayBack.isRead === null ? 'tenMinutes' : 'untilRead';
  return (
    <AskedForm
      act="delete"
      token={token}
      icon={Trash2}
      words={{
        action: t('wayBack.remove.action'),
        title: t('wayBack.remove.title'),
        text: t(isOnly ? 'wayBack.remove.text' : 'wayBack.remove.lastText', { name }),
        failed: t('wayBack.remove.failed'),
      }}
      hint={t(`wayBack.remove.${until}`)}
      busy={isLoading ? t('wayBack.remove.deleting') : undefined}
      onConfirm={confirm}
    />
  );
}

const Arrived = styled.div`
  margin: 12px var(--gutter);
  padding: 12px 18px;
  background: var(--gold-tint);
  color: var(--on-gold-tint);
  a {
    display: inline-block;
    padding-block: 10px;
    font-weight: 700;
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  ${({ theme }) => theme.bubble.large}
`;

const Head = styled.div`
  display: flex;
  gap: 12px;
  align-items: center;
  justify-content: space-between;
  > span {
    margin-block-start: 6px;
  }
`;

const Tell = styled.div`
  margin-block-start: 14px;
  &:empty {
    display: none;
  }
`;

const DeletionRow = styled(Row).attrs({ $between: true })`
  margin-block-start: 14px;
  padding-block-start: 10px;
  border-block-start: 1px solid var(--line);
  > span {
    flex: 1 1 8em;
    min-inline-size: 0;
    color: var(--ink-2);
    ${small}
  }
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
  > * {
    white-space: normal;
    overflow-wrap: anywhere;
  }
`;

const ListLink = styled(Link)`
  ${small}
  color: var(--violet-text);
  text-decoration: underline;
  text-underline-offset: 3px;
  padding-block: 10px;
`;
