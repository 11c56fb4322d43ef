import type { Bed } from '@najwa/testing';

/** Undoes the presence that registration sets. */
export async function forgetPresence(bed: Bed, username: string): Promise<void> {
  const database = await bed.openDatabase('auth');
  await database.collection('users').updateOne({ username }, { $set: { lastOnline: null, shownOnline: null } });
  await database.close();
}
