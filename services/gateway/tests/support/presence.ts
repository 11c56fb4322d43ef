import { createLogger } from '@najwa/common/logging';
import { createDatabase } from '@najwa/common/mongo';
import type { Bed } from '@najwa/testing';

/** As if the account had never been there: registering shows it at once. */
export async function forgetPresence(bed: Bed, username: string): Promise<void> {
  const { MONGO_URL = '', MONGO_DATABASE = '' } = bed.environmentOf('auth');
  const database = createDatabase(
    { url: MONGO_URL, database: MONGO_DATABASE },
    createLogger({ service: 'test', level: 'silent' }),
  );
  await database.connect();
  await database.connection
    .collection('users')
    .updateOne({ username }, { $set: { lastOnline: null, shownOnline: null } });
  await database.close();
}
