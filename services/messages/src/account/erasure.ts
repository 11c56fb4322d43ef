import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@najwa/common';
import type { MessagesContext } from '../context.js';
import { asSent, NOBODY, type AccountKey, type MessageRecord } from '../store/message-record.js';
import { deletionOf, messageDeleted, messageUpdated, senderForgotten } from '../store/events.js';
import { forgetNotifications } from '../notifications/notifications.js';
import { forgetBrowsersOfAccount, forgetBrowsersOfMessage } from '../push/subscriptions.js';

const BATCH = 50;

/** The broker waits for an answer for thirty minutes. A large account takes several deliveries of the event. */
const SLICE_MS = 60_000;

/** The outbox publishes what was written within milliseconds, if the broker accepts it. */
const CHECK_MS = 100;
const CHECKS = 50;

/**
 * Deletes what an account received and chose, and everything that leads to it in what it sent. Safe to repeat after any
 * failure.
 * @throws {AppError} `unavailable` if something is left for the next delivery
 */
export async function eraseAccount(context: MessagesContext, userId: number): Promise<void> {
  const { messages, senders, rules, reports, exports, outbox } = context;
  const keys = await senders.keysOf(userId);
  const [tag] = keys;
  const until = Date.now() + SLICE_MS;
  await eachOf(
    () => messages.findReceivedBy(userId, BATCH),
    (message) => forgetRecipient(context, message, tag),
    until,
  );
  await eachOf(
    () => messages.findSentBy(tag, BATCH),
    (message) => forgetSender(context, message),
    until,
  );
  await rules.remove(userId);
  await reports.forgetAccount(userId);
  await exports.removeOf(userId);
  await forgetBrowsersOfAccount(context, userId);
  outbox.notify();
  await purge(context, userId, keys);
  await forgetNotifications(context, userId);
}

/**
 * Has nobody read the published files of an account while it is closed, and everybody again once it is kept. The account as it
 * is now decides, so events may come twice and in any order.
 */
export async function withholdFiles(context: MessagesContext, userId: number): Promise<void> {
  const { messages, auth, outbox } = context;
  const isWithheld = (await auth.findUsers([userId])).length === 0;
  const until = Date.now() + SLICE_MS;
  await eachOf(
    () => messages.findFilesToWithhold(userId, isWithheld, BATCH),
    async ({ id }) => {
      await messages.change(id, (message) =>
        (message.isWithheld ?? false) === isWithheld
          ? null
          : { set: { isWithheld }, events: (change) => [messageUpdated(change)] },
      );
      outbox.notify();
    },
    until,
  );
}

async function eachOf(
  find: () => Promise<MessageRecord[]>,
  handle: (message: MessageRecord) => Promise<void>,
  until: number,
): Promise<void> {
  for (let found = await find(); found.length > 0; found = await find()) {
    await Promise.all(found.map(handle));
    if (Date.now() > until) throw unfinished();
  }
}

/**
 * Messages that others sent to the account stay in their own lists, without reply, sound and recipient.
 * @param tag of the account
 */
async function forgetRecipient(context: MessagesContext, message: MessageRecord, tag: string): Promise<void> {
  const { sender, hiddenFromSender, aside } = message;
  const isDeleted = aside?.reason === 'deleted';
  if (sender === null || hiddenFromSender || isDeleted || sender === tag) await removeMessage(context, message);
  else
    await context.messages.forgetRecipient(message.id, (before, change) => [
      messageUpdated(change),
      // The sender may see the picture. Nobody may hear the sound any more.
      messageDeleted({ ...deletionOf(before), imageName: '', revision: change.after.revision }),
    ]);
}

const removeMessage = ({ messages }: MessagesContext, { id }: MessageRecord): Promise<void> =>
  messages.remove(id, (current) => messageDeleted(deletionOf(current)));

/**
 * Messages that the account sent stay with their recipients. A reported one keeps its trace as long as every trace is
 * kept, so that nobody escapes a report by leaving.
 */
async function forgetSender(context: MessagesContext, message: MessageRecord): Promise<void> {
  // Only the sender's list kept it.
  if (message.aside?.discardedAt || message.userId === NOBODY) await removeMessage(context, message);
  else {
    await forgetBrowsersOfMessage(context, asSent(message).id);
    await context.messages.forgetSender(message.id, (change) =>
      change.after.isReported ? messageUpdated(change) : senderForgotten(change),
    );
  }
}

/** Removes tombstones and counts, once every event of the account is published: until then they carry these events. */
async function purge(context: MessagesContext, userId: number, keys: readonly AccountKey[]): Promise<void> {
  const { messages, tombstones, counts } = context;
  for (let checks = 0; checks < CHECKS; checks += 1) {
    await tombstones.removeOf(userId);
    if (!(await messages.hasTraceOf(userId, keys))) {
      await counts.remove(keys);
      return;
    }
    await wait(CHECK_MS);
  }
  throw unfinished();
}

const unfinished = (): AppError =>
  new AppError({ code: 'unavailable', message: 'The rest of the account is deleted later.' });
