import type { Handlers } from '@najwa/common';
import type { MessagesContext } from '../context.js';
import type { BlockRecord } from './rules-store.js';
import { addAndRemove, changeFilters, emptyAside, restoreMessage } from './aside.js';
import { blockSender, liftBlock, listBlocks } from './blocks.js';
import { updateReceiving } from './receiving.js';
import { presenterOf } from '../inbox/present.js';

type SafetyOperation =
  | 'updateReceiving'
  | 'createBlock'
  | 'listBlocks'
  | 'deleteBlock'
  | 'getFilters'
  | 'updateFilters'
  | 'changeFilters'
  | 'restoreMessage'
  | 'emptyAside';

export function safetyHandlers(context: MessagesContext): Pick<Handlers<'messages'>, SafetyOperation> {
  const { rules, limits } = context;
  const limit = ({ identity }: { identity: { user: { id: number } } }): Promise<void> =>
    limits.safety.consume(String(identity.user.id));
  return {
    updateReceiving: {
      limit,
      handle: ({ identity: { user }, body }) => updateReceiving(context, user.id, body),
    },
    createBlock: {
      limit,
      handle: async ({ identity: { user }, body }) => presentBlock(await blockSender(context, user.id, body.messageId)),
    },
    listBlocks: async ({ identity: { user } }) => (await listBlocks(context, user.id)).map(presentBlock),
    deleteBlock: ({ identity: { user }, params }) => liftBlock(context, user.id, params.id),
    async getFilters({ identity: { user } }) {
      const { words, lists } = await rules.load(user.id);
      return { words, lists };
    },
    updateFilters: {
      limit,
      handle: ({ identity: { user }, body: filters }) => changeFilters(context, user.id, () => filters),
    },
    changeFilters: {
      limit,
      handle: ({ identity: { user }, body }) => changeFilters(context, user.id, (before) => addAndRemove(before, body)),
    },
    restoreMessage: async ({ identity: { user }, params }) =>
      (await presenterOf(context)).recipientView(await restoreMessage(context, user.id, params.id)),
    emptyAside: { limit, handle: ({ identity: { user } }) => emptyAside(context, user.id) },
  };
}

/** A block, without its tags. */
const presentBlock = ({ id, messageId, excerpt, createdAt }: BlockRecord) => ({
  id,
  messageId,
  excerpt,
  createdAt: createdAt.toISOString(),
});
