import { AppError } from '@najwa/common';
import type { ChatbotContext } from '../context.js';
import { sweepPictures } from './sweep.js';

const BATCH = 500;

/** The next sweep finishes what fails here, such as while media is away. */
async function dropPictures(context: ChatbotContext, removed: { imageName: string | null }[]): Promise<void> {
  const names = removed.flatMap(({ imageName }) => imageName ?? []);
  if (names.length === 0) return;
  const now = new Date();
  await context.uploads.postpone(names, now);
  await sweepPictures(context, now).catch((error: unknown) =>
    context.logger.warn({ err: error }, 'pictures left to the sweep'),
  );
}

/** Removes a conversation and its picture. @throws {AppError} `not_found` */
export async function deleteConversation(context: ChatbotContext, id: number): Promise<void> {
  const removed = await context.conversations.remove(id);
  if (removed === null) throw new AppError({ code: 'not_found', message: 'There is no such conversation.' });
  await dropPictures(context, [removed]);
}

/** Removes every conversation that is there now, with the pictures. @returns how many */
export async function deleteAllConversations(context: ChatbotContext): Promise<number> {
  const latest = await context.conversations.latestId();
  let deleted = 0;
  let removed: { imageName: string | null }[];
  do {
    removed = await context.conversations.removeUpTo(latest, BATCH);
    deleted += removed.length;
    await dropPictures(context, removed);
  } while (removed.length === BATCH);
  return deleted;
}
