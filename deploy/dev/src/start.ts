import path from 'node:path';
import { inCheckout, valueOf } from './bootstrap/environment.js';
import { asStep, type Reporter } from './reporter.js';
import { ADMIN_SECRET_FILE } from './system/secrets.js';
import { startSystem } from './system/system.js';

export interface StartOptions {
  reporter: Reporter;
  port: number;
  /** The client, built at the same time. */
  web: Promise<void>;
  signal: AbortSignal;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Until the signal aborts. @returns the exit status */
export async function start({ reporter, port, web, signal }: StartOptions): Promise<number> {
  const dataDir = inCheckout('.data');
  const onTextsWork = (): void => {
    const isGiven = valueOf(process.env, 'ADMIN_SECRET') !== undefined;
    reporter.say(`The first administrator is made at http://localhost:${port}/admin/create,`);
    reporter.say(`with the secret ${isGiven ? 'ADMIN_SECRET' : `in ${path.join(dataDir, ADMIN_SECRET_FILE)}`}.`);
    reporter.say(`The logs of the services are in ${path.join(dataDir, 'logs')}`);
    process.stdout.write(`Najwa is ready at http://localhost:${port}\n`);
    reporter.say('Pictures and voice messages join as soon as MinIO and ffmpeg are there.');
  };
  const system = await startSystem({ dataDir, reporter, port, prepared: web, onTextsWork, signal });
  if ('s3' in system.infrastructure.parts) reporter.say('Pictures and voice messages work as well.');

  await aborted(signal);
  await asStep(
    reporter,
    'Stopping',
    () => system.stop(),
    () => 'everything has stopped',
  );
  return 0;
}
