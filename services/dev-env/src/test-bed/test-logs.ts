import { appendFileSync } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { createLogger, type Logger } from '@najwa/common';

/** Set for a whole run of the tests, which looks at all that was logged when it has ended. */
const folder = (): string | undefined => process.env['NAJWA_TEST_LOGS'];

/** The level that makes services say everything, when somebody is going to look. */
export const testLogLevel = (): string => (folder() === undefined ? 'silent' : 'debug');

/** A logger of a service in this process. */
export function createTestLogger(run: string, service: string): Logger {
  const target = folder();
  if (target === undefined) return createLogger({ service, level: 'silent' });
  return createLogger({ service, level: 'debug', destination: { write: (line) => appendFileSync(path.join(target, `${run}-${service}.log`), line) } });
}

/** Keeps what services in processes of their own have logged. */
export async function keepLogs(run: string, logFolder: string): Promise<void> {
  const target = folder();
  if (target === undefined) return;
  await mkdir(target, { recursive: true });
  for (const file of await readdir(logFolder).catch(() => [])) await cp(path.join(logFolder, file), path.join(target, `${run}-${file}`));
}
