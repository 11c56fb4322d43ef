import { migrateDocuments, type Migration } from '@najwa/common';
import type { MessagesContext } from '../context.js';
import { MESSAGE_COUNTS, type CountsDocument } from '../db/counts.js';
import { INBOX_RULES, sealRulesKey, type RulesDocument } from '../db/inbox-rules.js';
import type { MessageRecord } from '../db/message-record.js';
import { messageUpdated } from './events.js';

const BATCH = 100;

/** Seals the sender of a message that is stored in clear. What an account sent is counted under its tag from then on. */
async function sealSender({ messages, senders }: MessagesContext, message: MessageRecord): Promise<boolean> {
  const { id, sender, sealedSender } = message;
  const sealed = await senders.seal(await senders.senderOf(message), message);
  const tag = typeof sender === 'number' ? await senders.keyOf(sender) : sender;
  let isChanged = false;
  await messages.change(id, (current) => {
    isChanged = current.sender === sender && current.sealedSender === sealedSender;
    // The counts move with an event, and its consumers know its state already.
    return isChanged
      ? { set: { sender: tag, sealedSender: sealed }, events: (change) => [messageUpdated(change)] }
      : null;
  });
  return isChanged;
}

/** Seal what earlier versions stored in clear. A message whose retention is over keeps its tag alone. */
export function sealingMigrations(context: MessagesContext): Migration[] {
  const { messages, senders, dataKeys, outbox } = context;
  return [
    {
      name: '2026-11-22-seal-senders',
      async runBatch(_connection, cursor) {
        const found = await messages.listAll(Number(cursor ?? 0), BATCH);
        let changed = 0;
        for (const message of found)
          if (senders.isInClear(message) && (await sealSender(context, message))) changed += 1;
        if (changed > 0) outbox.notify();
        return { changed, next: found.length < BATCH ? null : (found.at(-1)?.id ?? null) };
      },
    },
    migrateDocuments<RulesDocument>({
      name: '2026-11-22-seal-keys-of-tags',
      collection: INBOX_RULES,
      orderedBy: '_id',
      projection: { key: 1 },
      change: async ({ _id, key }) =>
        key === undefined ? null : { sealedKey: await sealRulesKey(dataKeys, _id, key), key: undefined },
    }),
    // Once every message has moved to its tag, the ids of the first and the last one would still tell who sent them.
    migrateDocuments<CountsDocument>({
      name: '2026-11-22-forget-sent-ids',
      collection: MESSAGE_COUNTS,
      orderedBy: '_id',
      projection: { sent: 1, sentIds: 1, version: 1 },
      change: ({ _id, sent, sentIds, version }) =>
        typeof _id === 'number' && sentIds !== undefined && sent === 0
          ? { sentIds: undefined, version: version + 1 }
          : null,
    }),
  ];
}
