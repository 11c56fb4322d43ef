import { randomId } from '@najwa/common';
import { AppError } from '@najwa/common/errors';
import { userUpdated, type AccountDeps } from './accounts.js';
import type { PromptRecord, UserRecord } from './user-store.js';

/**
 * Idempotent by text.
 * @throws {AppError} `prompts_full`
 */
export async function createPrompt(
  { users, outbox }: AccountDeps,
  user: UserRecord,
  content: string,
): Promise<PromptRecord> {
  const prompt: PromptRecord = { id: randomId(), content, createdAt: new Date() };
  if (await users.addPrompt(user.id, prompt, userUpdated(user, undefined))) {
    outbox.notify();
    return prompt;
  }
  const known = (await users.findById(user.id))?.prompts.find((earlier) => earlier.content === content);
  if (known) return known;
  throw new AppError({ code: 'prompts_full', message: 'The account has as many prompts as it may have.' });
}

/** @throws {AppError} `prompt_not_found` */
export async function deletePrompt({ users, outbox }: AccountDeps, user: UserRecord, id: number): Promise<void> {
  if (!(await users.removePrompt(user.id, id, userUpdated(user, undefined))))
    throw new AppError({ code: 'prompt_not_found', message: 'There is no such prompt.' });
  outbox.notify();
}
