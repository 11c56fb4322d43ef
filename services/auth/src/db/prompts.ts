import type { OutboxEntry } from '@najwa/common/amqp';
import { retryOnDeadlock } from '@najwa/common/mongo';
import { LIMITS } from '@najwa/proto/http';
import type { Connection } from 'mongoose';
import { userModel, type PromptRecord } from './users.js';

export interface PromptRepository {
  /** @returns false, without a write, if the text exists or the account is full */
  add(userId: number, prompt: PromptRecord, event: OutboxEntry): Promise<boolean>;
  remove(userId: number, id: number, event: OutboxEntry): Promise<boolean>;
}

const LAST = `prompts.${LIMITS.prompts - 1}`;

export function createPromptRepository(connection: Connection): PromptRepository {
  const model = userModel(connection);
  const notErased = { erasure: null };
  return {
    async add(userId, prompt, event) {
      const { modifiedCount } = await retryOnDeadlock(() =>
        model.updateOne(
          { id: userId, [LAST]: { $exists: false }, 'prompts.content': { $ne: prompt.content }, ...notErased },
          { $push: { prompts: prompt, outbox: event } },
        ),
      );
      return modifiedCount === 1;
    },
    async remove(userId, id, event) {
      const { modifiedCount } = await retryOnDeadlock(() =>
        model.updateOne(
          { id: userId, 'prompts.id': id, ...notErased },
          { $pull: { prompts: { id } }, $push: { outbox: event } },
        ),
      );
      return modifiedCount === 1;
    },
  };
}
