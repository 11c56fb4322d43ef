import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../../bootstrap/environment.js';
import { outputOf } from '../../bootstrap/processes.js';
import { isMongodDownloadReachable } from '../../bootstrap/go-programs.js';
import type { Step } from '../../reporter.js';
import type { ProviderContext } from '../part.js';

const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;

const folderOf = ({ cache }: ProviderContext): string => path.join(cache.folder, 'mongod');

const runs = async (executable: string): Promise<boolean> => (await outputOf(executable, ['--version'])) !== undefined;

/** From an earlier download. */
export async function cachedMongod(context: ProviderContext): Promise<string | undefined> {
  const { DryMongoBinary } = await import('mongodb-memory-server-core');
  const options = await DryMongoBinary.generateOptions({ downloadDir: folderOf(context) });
  const found = await DryMongoBinary.locateBinary(options).catch(() => undefined);
  return found !== undefined && (await runs(found)) ? found : undefined;
}

/** @throws {Unavailable} within seconds if unreachable, or if it does not run on this machine */
export async function downloadMongod(context: ProviderContext, step: Step): Promise<string> {
  if (!(await isMongodDownloadReachable(context.signal))) {
    context.signal.throwIfAborted();
    throw new Unavailable("MongoDB's download cannot be reached");
  }
  step.doing('downloading mongod');
  const { MongoBinary } = await import('mongodb-memory-server-core');
  const downloadDir = folderOf(context);
  await mkdir(downloadDir, { recursive: true });
  const downloaded = await Promise.race([
    MongoBinary.getPath({ downloadDir }),
    delay(DOWNLOAD_TIMEOUT_MS, undefined, { signal: context.signal, ref: false }),
  ]).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw new Unavailable('mongod could not be downloaded', { cause: error });
  });
  if (downloaded === undefined || !(await runs(downloaded)))
    throw new Unavailable('the downloaded mongod does not run here');
  return downloaded;
}
