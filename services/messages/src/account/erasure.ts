import { setTimeout as wait } from 'node:timers/promises';
import type { OutboxRelay } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import type { AuthClient } from '../clients/auth.js';
import type { CountRepository } from '../store/counts.js';
import { deletionOf, messageDeleted, messageUpdated } from '../store/events.js';
import { isLater, NO_ACCOUNT, originOf, type AccountKey, type MessageRecord } from '../store/message-record.js';
import type { MessageRepository } from '../store/messages.js';
import type { SenderVault } from '../store/sender-vault.js';
import type { TombstoneRepository } from '../store/submissions.js';
import type { AccountStore } from './account-store.js';

export interface AccountDeps {
  messages: MessageRepository;
  accounts: AccountStore;
  senders: SenderVault;
  counts: CountRepository;
  tombstones: TombstoneRepository;
  outbox: OutboxRelay;
  auth: AuthClient;
  /** One per subject. Idempotent. */
  erasers: readonly ((userId: number) => Promise<void>)[];
  /** Last: events of the other steps still create notifications. */
  forgetNotifications: (userId: number) => Promise<void>;
  forgetBrowsersOfMessage: (messageId: number) => Promise<void>;
}

const BATCH = 50;

/** The broker's delivery timeout is 30 minutes, so a large account takes several deliveries. */
const SLICE_MS = 60_000;

/** The outbox publishes within milliseconds if the broker accepts. */
const CHECK_MS = 100;
const CHECKS = 50;

/**
 * Idempotent.
 * @throws {AppError} `unavailable` if the next delivery has to continue
 */
export async function eraseAccount(deps: AccountDeps, userId: number): Promise<void> {
  const { accounts, senders, outbox } = deps;
  const keys = await senders.keysOf(userId);
  const [tag] = keys;
  const until = Date.now() + SLICE_MS;
  await eachOf(
    () => accounts.findReceivedBy(userId, BATCH),
    (message) => forgetRecipient(deps, message, tag),
    until,
  );
  await eachOf(
    () => accounts.findSentBy(tag, BATCH),
    (message) => forgetSender(deps, message),
    until,
  );
  for (const erase of deps.erasers) await erase(userId);
  outbox.notify();
  await purge(deps, userId, keys);
  await deps.forgetNotifications(userId);
}

/**
 * Withholds published files while the account is closed; restores them if it is kept. Reads the current state, so
 * events may repeat and reorder.
 */
export async function withholdFiles(deps: AccountDeps, userId: number): Promise<void> {
  const { messages, accounts, auth, outbox } = deps;
  const isWithheld = (await auth.findUsers([userId])).length === 0;
  const until = Date.now() + SLICE_MS;
  await eachOf(
    () => accounts.findFilesToWithhold(userId, isWithheld, BATCH),
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

/** Senders keep their messages, without reply, sound and recipient. */
async function forgetRecipient(deps: AccountDeps, message: MessageRecord, tag: string): Promise<void> {
  const { sender, hiddenFromSender, aside } = message;
  const isDeleted = aside?.reason === 'deleted';
  if (sender === null || hiddenFromSender || isDeleted || sender === tag) await removeMessage(deps, message);
  else
    await deps.accounts.forgetRecipient(message.id, (before, change) => [
      messageUpdated(change),
      // The sender keeps the picture.
      messageDeleted({ ...deletionOf(before), imageName: '', revision: change.after.revision }),
    ]);
}

const removeMessage = ({ messages }: AccountDeps, { id }: MessageRecord): Promise<void> =>
  messages.remove(id, (current) => [messageDeleted(deletionOf(current))]);

/** Recipients keep the messages. A reported one keeps its trace, so that leaving is no escape. */
async function forgetSender(deps: AccountDeps, message: MessageRecord): Promise<void> {
  // Only the sender's list had it.
  if (message.aside?.discardedAt || isLater(message) || message.userId === NO_ACCOUNT)
    await removeMessage(deps, message);
  else {
    await deps.forgetBrowsersOfMessage(originOf(message).id);
    await deps.accounts.forgetSender(message.id, (change) =>
      messageUpdated(change, { forgetsSender: change.after.isReported !== true }),
    );
  }
}

/** Waits until the account's events are published: tombstones and counts carry them. */
async function purge(deps: AccountDeps, userId: number, keys: readonly AccountKey[]): Promise<void> {
  const { accounts, tombstones, counts } = deps;
  for (let checks = 0; checks < CHECKS; checks += 1) {
    await tombstones.removeOf(userId);
    if (!(await accounts.hasTraceOf(userId, keys))) {
      await counts.remove(keys);
      return;
    }
    await wait(CHECK_MS);
  }
  throw unfinished();
}

const unfinished = (): AppError =>
  new AppError({ code: 'unavailable', message: 'The rest of the account is deleted later.' });
