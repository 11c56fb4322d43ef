import { randomUUID } from 'node:crypto';
import { createLogger } from '@najwa/common/logging';
import { createDatabase, type Database } from '@najwa/common/mongo';
import { requiredVariable } from './required-variable.js';

/** Connects to a database, by default a new one of the test run. The caller closes the connection. */
export async function openDatabase(
  name = `test_${randomUUID().slice(0, 8)}`,
  url = requiredVariable('MONGO_URL'),
): Promise<Database['connection']> {
  const database = createDatabase({ url, database: name }, createLogger({ service: 'test', level: 'silent' }));
  await database.connect();
  return database.connection;
}
