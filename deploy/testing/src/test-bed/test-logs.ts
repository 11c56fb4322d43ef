import { appendFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createLogger, type Logger } from '@najwa/common/logging';
import { SERVICE_NAMES } from '@najwa/dev/system/environment';

/** Set by `npm test`, which checks all logs of a whole run. */
const folder = (): string | undefined => process.env['NAJWA_TEST_LOGS'];

export const testLogLevel = (): string => (folder() === undefined ? 'silent' : 'debug');

export function createTestLogger(run: string, service: string): Logger {
  const target = folder();
  if (target === undefined) return createLogger({ service, level: 'silent' });
  return createLogger({
    service,
    level: 'debug',
    destination: { write: (line) => appendFileSync(path.join(target, `${run}-${service}.log`), line) },
  });
}

/** Of service processes, not of infrastructure. */
export async function keepLogs(run: string, logFolder: string): Promise<void> {
  const target = folder();
  if (target === undefined) return;
  await mkdir(target, { recursive: true });
  for (const name of SERVICE_NAMES)
    await cp(path.join(logFolder, `${name}.log`), path.join(target, `${run}-${name}.log`));
}
