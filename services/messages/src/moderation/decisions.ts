import type { OutboxRelay } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import type { Logger } from '@najwa/common/logging';
import { isSanction, RETENTION, SANCTION_DAYS, type ModerationAction } from '@najwa/proto/http';
import type { AuthClient } from '../clients/auth.js';
import type { MediaClient } from '../clients/media.js';
import type { Limits } from '../config.js';
import { endWithLast } from '../conversations/ending.js';
import { earlierSenders } from '../conversations/following.js';
import { isFound, notFound as messageNotFound, removeForEverybody } from '../inbox/inbox.js';
import type { InboxJudge } from '../safety/judge.js';
import { refusalOf, ruleOf } from '../safety/receiving.js';
import type { ReceivingRule } from '../safety/rules-store.js';
import type { SanctionRepository } from '../safety/sanctions-store.js';
import { countArrival } from '../sending/admission.js';
import { messageDeleted, messageRestored, messageSetAside, messageUpdated } from '../store/events.js';
import {
  drawArrival,
  isLater,
  NO_ACCOUNT,
  placeOf,
  type Aside,
  type MessageRecord,
  type Undo,
} from '../store/message-record.js';
import type { MessageRepository } from '../store/messages.js';
import type { KnownSender, SenderVault } from '../store/sender-vault.js';
import { SCHEDULED_MS, type Timers } from '../timers.js';
import { accountSuspended, reportDecided } from './events.js';
import type { HeldStore } from './held-store.js';
import { isOwnAffair, type ActionRecord, type Reader, type ReportFilter, type ReportRecord } from './report-record.js';
import type { ReportRepository } from './report-store.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Kept after closing, to recognise returning senders. */
const RETENTION_MS = RETENTION.closedReportDays * DAY_MS;

/** An effect pending for longer was lost with its process. */
const EFFECT_MS = 60_000;

/** Immediate history would reveal that two messages share a sender. */
const HISTORY_DELAY_MS = 3 * DAY_MS;

/** As long as messages set aside are kept. */
const TRIES_MS = RETENTION.asideDays * DAY_MS;

/** Upper bound of a call: older drafts are orphans. */
const DRAFT_MS = 10 * 60_000;

/** No undo. */
const ENDED: Undo = { action: 'delete', by: '', until: new Date(1) };

const BATCH = 200;
const MAX_SANCTIONS = 5_000;
const MAX_TRIES = 10;

export interface ModerationDeps {
  messages: MessageRepository;
  reports: ReportRepository;
  held: HeldStore;
  sanctions: SanctionRepository;
  judge: InboxJudge;
  auth: AuthClient;
  media: MediaClient;
  senders: SenderVault;
  outbox: OutboxRelay;
  deliveries: Timers;
  limits: Limits;
  logger: Logger;
}

/** Other moderators' decisions about the sender's other messages. */
export interface SenderHistory {
  reported: number;
  actions: Partial<Record<ModerationAction, number>>;
}

export type ListedReport = ReportRecord & { history: SenderHistory };

const notFound = (): AppError => new AppError({ code: 'report_not_found', message: 'There is no such report.' });

const alreadyDecided = (): AppError =>
  new AppError({ code: 'already_decided', message: 'Another moderator was first.' });

const tagsOf = ({ senderTags: { account, visitor } }: Pick<ReportRecord, 'senderTags'>): string[] =>
  [account, visitor].filter((tag) => tag !== null);

/** Otherwise moderators could report public messages to compare their senders. */
const isFromRecipient = ({ entries }: Pick<ReportRecord, 'entries'>): boolean =>
  entries.some(({ isRecipient }) => isRecipient);

/** Others' standing actions past the delay: readers must not recognise their own. */
const historyOf = ({ actions }: Pick<ReportRecord, 'actions'>, reader: Reader, now: Date): ActionRecord[] =>
  actions.filter(
    ({ action, actorId, undone, at }) =>
      action !== 'dismiss' &&
      actorId !== reader.id &&
      undone === null &&
      now.getTime() - at.getTime() > HISTORY_DELAY_MS,
  );

async function withHistories(
  { reports }: ModerationDeps,
  listed: ReportRecord[],
  reader: Reader,
): Promise<ListedReport[]> {
  const known = await reports.findBySender([...new Set(listed.flatMap(tagsOf))]);
  const now = new Date();
  return listed.map((report) => {
    const tags = isFromRecipient(report) ? tagsOf(report) : [];
    const others = known
      .filter(
        (other) =>
          other.id !== report.id &&
          // Otherwise a moderator could report own messages and watch the counts.
          !isOwnAffair(other, reader) &&
          tagsOf(other).some((tag) => tags.includes(tag)),
      )
      .map((other) => historyOf(other, reader, now))
      .filter((decided) => decided.length > 0);
    const actions: SenderHistory['actions'] = {};
    for (const { action } of others.flat()) actions[action] = (actions[action] ?? 0) + 1;
    return { ...report, history: { reported: others.length, actions } };
  });
}

export const readerOf = ({ senders }: ModerationDeps, id: number): Reader => ({
  id,
  senderTags: senders.allTagsOf({ account: id, visitor: null }),
});

/** Own affairs look missing, so that moderators do not learn that they were reported. */
function requireForeign(deps: ModerationDeps, report: ReportRecord, readerId: number): void {
  if (isOwnAffair(report, readerOf(deps, readerId))) throw notFound();
}

export async function listReports(
  deps: ModerationDeps,
  filter: ReportFilter,
  page: { before: number | undefined; limit: number },
): Promise<{ found: ListedReport[]; total: number | null }> {
  const [listed, total] = await Promise.all([deps.reports.list(filter, page), deps.reports.count(filter)]);
  return { found: await withHistories(deps, listed, filter.reader), total };
}

/** @throws {AppError} `report_not_found` */
export async function openReport(deps: ModerationDeps, id: number, readerId: number): Promise<ListedReport> {
  const report = await deps.reports.change(id, (current) => {
    requireForeign(deps, current, readerId);
    const { status, assignedTo } = current;
    return status === 'open' && assignedTo === null ? { set: { assignedTo: readerId }, events: [] } : null;
  });
  if (report === null) throw notFound();
  const [listed] = await withHistories(deps, [report], readerOf(deps, readerId));
  if (listed === undefined) throw notFound();
  return listed;
}

/**
 * Without what is held, which no one reads.
 * @throws {AppError} `report_not_found`
 */
export async function openConversation(deps: ModerationDeps, id: number, readerId: number): Promise<MessageRecord[]> {
  const report = await deps.reports.find(id);
  if (report === null) throw notFound();
  requireForeign(deps, report, readerId);
  const message = await deps.messages.find(report.messageId);
  if (message?.conversation === undefined) return [];
  const turns = await deps.messages.findConversation(message.conversation.id);
  return turns.filter(({ aside }) => !['held', 'later', 'deleted'].includes(aside?.reason ?? ''));
}

const endOf = ({ at, days }: ActionRecord): Date => new Date(at.getTime() + (days ?? 0) * DAY_MS);

export interface NewAction {
  action: ModerationAction;
  reason: string;
  days: number | undefined;
  actorId: number;
}

/**
 * Decision and event are one write; the effect follows, or the sweep repeats it.
 * @throws {AppError} `report_not_found`, `already_decided`, `sender_unknown`, `too_many_blocks`
 */
export async function actOnReport(
  deps: ModerationDeps,
  reportId: number,
  { action, reason, days, actorId }: NewAction,
): Promise<ActionRecord> {
  const { reports, sanctions } = deps;
  if (isSanction(action) && (await sanctions.load()).sanctions.length >= MAX_SANCTIONS)
    throw new AppError({ code: 'too_many_blocks', message: 'Too many senders are suspended or blocked.' });
  const taken: ActionRecord = {
    id: await reports.nextActionId(),
    action,
    reason,
    days: isSanction(action) ? (days ?? SANCTION_DAYS[action]) : null,
    actorId,
    at: new Date(),
    undone: null,
    isPending: true,
  };
  const report = await reports.change(reportId, (current) => {
    requireForeign(deps, current, actorId);
    requireUndecided(current, taken);
    const answered = current.entries.filter(({ decidedBy }) => decidedBy === null);
    return {
      set: {
        status: 'closed',
        changedAt: taken.at,
        entries: current.entries.map((entry) => (entry.decidedBy === null ? { ...entry, decidedBy: taken.id } : entry)),
        actions: [...current.actions, taken],
      },
      events: [
        reportDecided(current, taken, answered),
        ...(action === 'suspend' ? [accountSuspended(taken.id, endOf(taken))] : []),
      ],
    };
  });
  if (report === null) throw notFound();
  await settle(deps, reportId);
  return taken;
}

function requireUndecided({ status, actions, senderTags }: ReportRecord, { action, at }: ActionRecord): void {
  if (!isSanction(action)) {
    if (status !== 'open') throw alreadyDecided();
    return;
  }
  if (action === 'suspend' ? senderTags.account === null : tagsOf({ senderTags }).length === 0)
    throw new AppError({ code: 'sender_unknown', message: 'No account sent this message.' });
  if (actions.some((earlier) => earlier.action === action && !earlier.undone && endOf(earlier) > at))
    throw alreadyDecided();
}

/**
 * Reopens what the action answered, unless another action stands.
 * @throws {AppError} `report_not_found`, `own_action`, `already_decided`, `undo_expired`
 */
export async function undoAction(
  deps: ModerationDeps,
  actionId: number,
  { reason, actorId }: { reason: string; actorId: number },
): Promise<{ reportId: number; action: ActionRecord }> {
  const { reports, messages } = deps;
  const found = await reports.findByAction(actionId);
  if (found === null) throw notFound();
  const message = await messages.find(found.messageId);
  // Discarded messages exist only for the sender.
  const isGone = message === null || message.aside?.discardedAt != null;
  let undone: ActionRecord | undefined;
  const report = await reports.change(found.id, (current) => {
    requireForeign(deps, current, actorId);
    const taken = current.actions.find(({ id }) => id === actionId);
    if (taken === undefined) throw notFound();
    if (taken.actorId === actorId)
      throw new AppError({ code: 'own_action', message: 'Another administrator has to take it back.' });
    if (taken.undone) throw alreadyDecided();
    if (taken.action === 'remove' && isGone)
      throw new AppError({ code: 'undo_expired', message: 'The message is gone for good.' });
    const after = { ...taken, undone: { actorId, reason, at: new Date() }, isPending: true };
    undone = after;
    const actions = current.actions.map((action) => (action.id === actionId ? after : action));
    const standing = actions.findLast((action) => action.undone === null)?.id ?? null;
    const reopened = current.entries.filter(({ decidedBy }) => decidedBy === actionId);
    const entries = current.entries.map((entry) =>
      entry.decidedBy === actionId ? { ...entry, decidedBy: standing } : entry,
    );
    const isOpen = entries.some(({ decidedBy }) => decidedBy === null);
    return {
      set: {
        actions,
        entries,
        ...(isOpen && current.status === 'closed' && { status: 'open', assignedTo: null, changedAt: new Date() }),
      },
      events: [reportDecided(current, after, reopened)],
    };
  });
  if (report === null || undone === undefined) throw notFound();
  await settle(deps, found.id);
  return { reportId: found.id, action: undone };
}

async function settle(deps: ModerationDeps, reportId: number): Promise<void> {
  try {
    await applyPending(deps, reportId);
  } catch (error) {
    deps.logger.warn({ err: error, reportId }, 'effect of a decision not applied, will retry');
  }
}

/** A message judged before the reversal may be stored after it, so the sweep releases again. */
const mayStillHold = ({ action, undone }: ActionRecord, now: Date): boolean =>
  isSanction(action) && undone !== null && now.getTime() - undone.at.getTime() < EFFECT_MS;

/** Idempotent. Reapplied if another decision intervened. */
async function applyPending(deps: ModerationDeps, reportId: number, now = new Date()): Promise<void> {
  const { reports, outbox } = deps;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const report = await reports.find(reportId);
    if (report === null) return;
    const pending = report.actions.filter(({ isPending }) => isPending);
    for (const action of pending) await applyAction(deps, report, action);
    if (pending.some((action) => mayStillHold(action, now)) || (await reports.settle(report))) break;
  }
  outbox.notify();
}

async function applyAction(deps: ModerationDeps, report: ReportRecord, action: ActionRecord): Promise<void> {
  const { messages, sanctions } = deps;
  const { messageId } = report;
  switch (action.action) {
    case 'dismiss':
      return;
    case 'remove':
      await messages.change(messageId, ({ aside }) => {
        // The recipient's deletion must not be undone without moderators.
        if (aside?.reason === 'deleted') return { set: { undo: ENDED }, events: () => [] };
        const isRemoved = aside?.actionId === action.id;
        if (isRemoved !== (action.undone !== null)) return null;
        const next: Aside | null = isRemoved
          ? (aside.otherwise ?? null)
          : { reason: 'removed', matched: null, at: new Date(), actionId: action.id, otherwise: aside };
        return { set: { aside: next }, events: (change) => [messageUpdated(change, { changesInbox: true })] };
      });
      return;
    case 'warn':
      await messages.change(messageId, () => ({
        set: { warnedAt: action.undone ? null : action.at },
        events: (change) => [messageUpdated(change)],
      }));
      return;
    case 'suspend':
    case 'block':
      if (action.undone === null) {
        const { account } = report.senderTags;
        const tags = action.action === 'block' ? tagsOf(report) : account === null ? [] : [account];
        await sanctions.add({ id: action.id, tags, until: endOf(action) });
      } else {
        await sanctions.remove(action.id);
        await release(deps, action);
      }
  }
}

/** Random times: simultaneous deliveries would reveal a common, suspended sender. */
async function release({ messages, held, deliveries }: ModerationDeps, { id, at }: ActionRecord): Promise<void> {
  for (;;) {
    const found = await held.find(id, at, BATCH);
    for (const message of found) {
      const deliverAt = drawArrival(new Date());
      await messages.change(message.id, ({ aside }) =>
        aside?.actionId === id && !aside.deliverAt
          ? { set: { aside: { ...aside, at: new Date(), deliverAt } }, events: () => [] }
          : null,
      );
      deliveries.schedule(deliverAt);
    }
    if (found.length < BATCH) return;
  }
}

/** A held message keeps its place. */
const follows = (message: MessageRecord): boolean => isLater(message) && placeOf(message).turn > 1;

/** A closed inbox would receive only held messages, which would reveal them. */
async function isTaken(
  { auth }: ModerationDeps,
  message: MessageRecord,
  { account }: KnownSender,
  rule: ReceivingRule | undefined,
): Promise<boolean> {
  const recipient = await auth.findUser(message.userId);
  if (recipient === undefined || (recipient.receiving?.takesNoMore === true && follows(message))) return false;
  return (await refusalOf({ auth }, account === null ? null : { id: account }, rule ?? ruleOf(recipient))) === null;
}

/**
 * Idempotent. Judges again by current actions and rules, and retries refused messages. Finally deletes them, so that
 * the sender does not take them for delivered.
 */
export async function deliverDue(deps: ModerationDeps, now: Date): Promise<void> {
  const { messages, held, deliveries, judge, senders, outbox, auth } = deps;
  let found: MessageRecord[];
  do {
    found = await held.findDeliverable(now, BATCH);
    for (const message of found) {
      const { id, userId, tags, conversation, prompt } = message;
      const sender = await senders.senderOf(message);
      const turns = conversation ? await messages.findConversation(conversation.id) : [];
      const answered = turns.find((turn) => placeOf(turn).turn === placeOf(message).turn - 1);
      const isOver = follows(message) && (conversation?.hasEnded === true || answered === undefined);
      const earlier = await earlierSenders(deps, turns);
      const { verdict, networkBlock, receiving } = await judge.judgeHeld(message, sender, earlier);
      const isHeld = verdict?.reason === 'held';
      if (isHeld && !isLater(message))
        await messages.change(id, ({ aside }) =>
          // With its time, by which the other action's release finds it.
          aside?.deliverAt ? { set: { aside: verdict }, events: (change) => [messageUpdated(change)] } : null,
        );
      else if (!isOver && answered?.aside?.reason !== 'deleted' && (await isTaken(deps, message, sender, receiving))) {
        // A sender who was suspended must not notice.
        const prompts = isLater(message) ? (await auth.findUser(userId))?.prompts : undefined;
        const isWithdrawn = prompts?.some((asked) => asked.id === prompt?.id) === false;
        if (!(await held.claim(message))) continue;
        const isDelivered = await messages.deliver(id, ({ aside }) =>
          aside?.deliverAt && !aside.discardedAt
            ? {
                set: { aside: verdict, ...(isWithdrawn && { prompt: undefined }) },
                events: ({ after }) => [
                  verdict === null ? messageRestored(after, { isNew: true }) : messageSetAside(after),
                ],
              }
            : null,
        );
        if (!isDelivered) continue;
        await countArrival(deps, userId, isHeld);
        if (networkBlock !== null && tags !== undefined) judge.noteNetworkHit(userId, networkBlock, tags.visitor);
      } else if (isOver || now.getTime() - (message.aside?.at?.getTime() ?? 0) > TRIES_MS) {
        if (!isLater(message)) await endWithLast(deps, message);
        await isFound(
          removeForEverybody(deps, message, ({ aside }) => {
            if (!aside?.deliverAt) throw messageNotFound();
          }),
        );
      } else {
        const deliverAt = drawArrival(now);
        await messages.change(id, ({ aside }) =>
          aside?.deliverAt ? { set: { aside: { ...aside, deliverAt } }, events: () => [] } : null,
        );
        deliveries.schedule(deliverAt);
      }
    }
  } while (found.length === BATCH);
  outbox.notify();
  const [next] = await held.findDeliverable(new Date(now.getTime() + SCHEDULED_MS), 1);
  const { deliverAt = now } = next?.aside ?? {};
  if (deliverAt > now) deliveries.schedule(deliverAt);
}

export async function sweepReports(deps: ModerationDeps, now: Date): Promise<void> {
  const { reports, sanctions } = deps;
  const pending = await reports.findPending(new Date(now.getTime() - EFFECT_MS), BATCH);
  for (const id of pending) await applyPending(deps, id, now);
  await deliverDue(deps, now);
  await sanctions.removeEnded(now);
  const forgetEach = async (find: (limit: number) => Promise<ReportRecord[]>): Promise<void> => {
    let found: ReportRecord[];
    do {
      found = await find(BATCH);
      for (const report of found) await forget(deps, report);
    } while (found.length === BATCH);
  };
  await forgetEach((limit) => reports.findBefore('closed', new Date(now.getTime() - RETENTION_MS), limit));
  await forgetEach((limit) => reports.findBefore('draft', new Date(now.getTime() - DRAFT_MS), limit));
  deps.outbox.notify();
}

async function forget({ messages, reports }: ModerationDeps, report: ReportRecord): Promise<void> {
  const { id, messageId, evidence } = report;
  const message = await messages.change(messageId, ({ isReported }) =>
    isReported ? { set: { isReported: false }, events: (change) => [messageUpdated(change)] } : null,
  );
  // Moderators own files that the message no longer has.
  const left = (name = '', present?: string | null): string => (name === present ? '' : name);
  const imageName = left(evidence.imageName ?? '', message?.imageName);
  const audioName = left(evidence.audio?.name, message?.audio?.name);
  const deletion = {
    messageId,
    // The recipient must not notice the report.
    userId: NO_ACCOUNT,
    revision: Number.MAX_SAFE_INTEGER,
    imageName,
    audioName,
    isReported: false,
    changesPublic: false,
  };
  await reports.remove(id, imageName === '' && audioName === '' ? [] : [messageDeleted(deletion)]);
}
