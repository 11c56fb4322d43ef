import type { ChatbotContext } from '../context.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a picture waits for the question about it, and how often it is looked at whether it is still needed. */
export const PICTURE_CHECK_MS = DAY_MS;

const BATCH = 100;

/** Removes the pictures that no conversation names, and what was spent on days gone by. */
export async function sweep(context: ChatbotContext, now: Date): Promise<void> {
  await context.spending.removeExpired(now);
  await sweepPictures(context, now);
}

/** Safe to repeat after any failure: the record of an upload goes last. */
export async function sweepPictures({ uploads, conversations, media }: ChatbotContext, now: Date): Promise<void> {
  let due: { name: string }[];
  do {
    due = await uploads.findDue(now, BATCH);
    for (const { name } of due) {
      if (await conversations.isPictureUsed(name)) {
        await uploads.postpone([name], new Date(now.getTime() + PICTURE_CHECK_MS));
      } else {
        await media.removePicture(name);
        await uploads.remove(name);
      }
    }
  } while (due.length === BATCH);
}
