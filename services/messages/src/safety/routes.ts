import type { Handlers } from '@najwa/common/http';
import type { Limits } from '../config.js';
import { presenterOf } from '../inbox/present.js';
import { emptyAside, restoreMessage, type AsideDeps } from './aside.js';
import { blockSender, liftBlock, listBlocks } from './blocks.js';
import { addAndRemove, changeFilters, type SafetyDeps } from './filters.js';
import { updateReceiving } from './receiving.js';
import type { BlockRecord } from './rules-store.js';

export function safetyHandlers(deps: SafetyDeps & AsideDeps, limits: Limits<'safety' | 'filter'>) {
  const { rules } = deps;
  const limit = ({ identity }: { identity: { user: { id: number } } }): Promise<void> =>
    limits.safety.consume(String(identity.user.id));
  return {
    updateReceiving: {
      limit,
      handle: ({ identity: { user }, body }) => updateReceiving(deps, user.id, body),
    },
    createBlock: {
      limit,
      handle: async ({ identity: { user }, body }) => presentBlock(await blockSender(deps, user.id, body.messageId)),
    },
    listBlocks: async ({ identity: { user } }) => (await listBlocks(deps, user.id)).map(presentBlock),
    deleteBlock: ({ identity: { user }, params }) => liftBlock(deps, user.id, params.id),
    async getFilters({ identity: { user } }) {
      const { words, lists } = await rules.load(user.id);
      return { words, lists };
    },
    updateFilters: {
      limit,
      handle: ({ identity: { user }, body: filters }) => changeFilters(deps, limits, user.id, () => filters),
    },
    changeFilters: {
      limit,
      handle: ({ identity: { user }, body }) =>
        changeFilters(deps, limits, user.id, (before) => addAndRemove(before, body)),
    },
    restoreMessage: async ({ identity: { user }, params }) =>
      (await presenterOf(deps)).recipientView(await restoreMessage(deps, user.id, params.id)),
    emptyAside: { limit, handle: ({ identity: { user } }) => emptyAside(deps, user.id) },
  } satisfies Partial<Handlers<'messages'>>;
}

/** Omits the tags. */
const presentBlock = ({ id, messageId, excerpt, createdAt }: BlockRecord) => ({
  id,
  messageId,
  excerpt,
  createdAt: createdAt.toISOString(),
});
