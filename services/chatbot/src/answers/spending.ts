import { createHash } from 'node:crypto';
import { senderKey, type Identity } from '@najwa/common/identity';
import { MAX_ANSWER_TOKENS, wasRefused, type Completion, type Prompt } from '../clients/language-model.js';
import type { ChatbotConfig } from '../config.js';
import type { SpendingRepository } from './spending-store.js';

export interface SpendingDeps {
  spending: SpendingRepository;
  dailyTokens: ChatbotConfig['dailyTokens'];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Arabic averages two letters per token. */
const CHARACTERS_PER_TOKEN = 2;
const PICTURE_TOKENS = 1_500;

/** Rough upper bound for prompt and answer. */
export function estimateTokens({ instructions, history, question, picture }: Prompt): number {
  const characters = history.reduce(
    (sum, turn) => sum + turn.question.length + turn.answer.length,
    instructions.length + question.length,
  );
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + MAX_ANSWER_TOKENS + (picture ? PICTURE_TOKENS : 0);
}

const KEPT_DAYS = 2;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const budgetKey = (time: number, sender: string): string =>
  `${dayOf(time)} ${createHash('sha256').update(sender).digest('base64url')}`;

/** Keys of all budgets an account may have. */
export const budgetKeysOf = (userId: number, now: Date): string[] =>
  Array.from({ length: KEPT_DAYS + 1 }, (_, days) => budgetKey(now.getTime() - days * DAY_MS, `user ${userId}`));

/**
 * Reserves the estimate first, so that concurrent questions cannot overdraw, then corrects it. An interrupted answer
 * keeps the estimate.
 * @returns null if a budget is exhausted
 */
export async function spend(
  { spending, dailyTokens }: SpendingDeps,
  identity: Identity,
  prompt: Prompt,
  ask: () => Promise<Completion>,
): Promise<Completion | null> {
  const now = Date.now();
  const expiresAt = new Date(now + KEPT_DAYS * DAY_MS);
  const callerKey = budgetKey(now, senderKey(identity));
  const allKey = `${dayOf(now)} all`;
  const estimate = estimateTokens(prompt);
  const correct = async (tokens: number): Promise<void> => {
    await Promise.all([spending.correct(callerKey, tokens), spending.correct(allKey, tokens)]);
  };

  if (!(await spending.take(callerKey, estimate, dailyTokens.caller, expiresAt))) return null;
  if (!(await spending.take(allKey, estimate, dailyTokens.all, expiresAt))) {
    await spending.correct(callerKey, -estimate);
    return null;
  }
  try {
    const completion = await ask();
    if (completion.tokens > 0) await correct(completion.tokens - estimate);
    return completion;
  } catch (error) {
    if (wasRefused(error)) await correct(-estimate);
    throw error;
  }
}
