import { AppError } from '@najwa/common/errors';
import { findReceived, notFound } from '../inbox/inbox.js';
import { excerptOf, type MessageRecord, type SenderTags } from '../store/message-record.js';
import type { SafetyDeps } from './filters.js';
import type { BlockRecord } from './rules-store.js';

const MAX_BLOCKS = 2_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const MAX_NEIGHBOURS = 1_000;

/**
 * Blocks a message's sender. Its network is included only if no other sender used it in the last day.
 * @throws {AppError} `message_not_found`, `too_many_blocks`
 */
export async function blockSender(deps: SafetyDeps, userId: number, messageId: number): Promise<BlockRecord> {
  const message = await findReceived(deps, userId, messageId);
  const { tags, content } = message;
  if (tags === undefined) throw notFound();
  const networks = (await isShared(deps, message, tags)) ? [] : tags.networks;
  const block = await deps.rules.addBlock(
    userId,
    { messageId, excerpt: excerptOf(content), tags: { ...tags, networks } },
    MAX_BLOCKS,
  );
  if (block === null) throw new AppError({ code: 'too_many_blocks', message: 'Lift a block to add another.' });
  return block;
}

async function isShared({ aside }: SafetyDeps, { userId }: MessageRecord, tags: SenderTags): Promise<boolean> {
  const neighbours = await aside.listTags(userId, new Date(Date.now() - DAY_MS), MAX_NEIGHBOURS);
  return neighbours.some(
    (other) =>
      other.visitor !== tags.visitor &&
      (other.account === null || other.account !== tags.account) &&
      other.networks.some((network) => tags.networks.includes(network)),
  );
}

export async function listBlocks({ rules }: SafetyDeps, userId: number): Promise<BlockRecord[]> {
  const { blocks } = await rules.load(userId);
  return blocks.toReversed();
}

/** @throws {AppError} `block_not_found` */
export async function liftBlock({ rules }: SafetyDeps, userId: number, id: number): Promise<void> {
  if (!(await rules.removeBlock(userId, id)))
    throw new AppError({ code: 'block_not_found', message: 'There is no such block.' });
}
