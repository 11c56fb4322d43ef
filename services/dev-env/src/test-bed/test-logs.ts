import { appendFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createLogger, type Logger } from '@najwa/common';
import { SERVICE_NAMES } from '../system/environment.js';

/** Set for a whole run of the tests, which looks at all that was logged when it has ended. */
const folder = (): string | undefined => process.env['NAJWA_TEST_LOGS'];

/** The level that makes services say everything, when somebody is going to look. */
export const testLogLevel = (): string => (folder() === undefined ? 'silent' : 'debug');

/** A logger of a service in this process. */
export function createTestLogger(run: string, service: string): Logger {
  const target = folder();
  if (target === undefined) return createLogger({ service, level: 'silent' });
  return createLogger({
    service,
    level: 'debug',
    destination: { write: (line) => appendFileSync(path.join(target, `${run}-${service}.log`), line) },
  });
}

/** Keeps what services in processes of their own have logged. What the servers below them log is not ours. */
export async function keepLogs(run: string, logFolder: string): Promise<void> {
  const target = folder();
  if (target === undefined) return;
  await mkdir(target, { recursive: true });
  for (const name of SERVICE_NAMES)
    await cp(path.join(logFolder, `${name}.log`), path.join(target, `${run}-${name}.log`));
}
