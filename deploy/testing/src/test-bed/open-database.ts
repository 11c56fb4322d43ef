import { randomUUID } from 'node:crypto';
import { createLogger } from '@najwa/common/logging';
import { Database } from '@najwa/common/mongo';
import { requiredVariable } from './required-variable.js';

/** New by default. The caller closes the connection. */
export async function openDatabase(
  name = `test_${randomUUID().slice(0, 8)}`,
  url = requiredVariable('MONGO_URL'),
): Promise<Database['connection']> {
  const database = new Database({ url, database: name }, createLogger({ service: 'test', level: 'silent' }));
  await database.connect();
  return database.connection;
}
