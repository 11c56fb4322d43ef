import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SetupError } from '../bootstrap/environment.js';
import { killProcessesIn } from './working-directory.js';
import { identify, isAlive, signalGroup, type ProcessIdentity, startTimeOf, until } from '../bootstrap/processes.js';

const OWNER = 'owner';
const LEFTOVER_TIMEOUT_MS = 3_000;

/** On disk, so that the next start can end it after a kill. */
export interface ProcessRecord extends ProcessIdentity {
  stopSignal: NodeJS.Signals;
  /** As in `ProcessSpec`. */
  ownFolder?: string | undefined;
}

/** Of one data folder. */
export interface ProcessRecords {
  add(name: string, record: ProcessRecord): Promise<void>;
  remove(name: string): Promise<void>;
  release(): Promise<void>;
}

function parse(text: string): ProcessRecord | undefined {
  try {
    const { pid, startedAt, stopSignal, ownFolder } = JSON.parse(text) as Partial<ProcessRecord>;
    if (typeof pid !== 'number' || typeof startedAt !== 'string') return undefined;
    return { pid, startedAt, stopSignal: stopSignal ?? 'SIGTERM', ownFolder };
  } catch {
    // Truncated: its writer was killed.
    return undefined;
  }
}

/** A process group outlives its leader, whose id is not reused until the group is empty. */
const isGroupOf = ({ pid, startedAt }: ProcessIdentity, startTime: string | undefined): boolean =>
  startTime === undefined ? signalGroup(pid, 0) : startTime === startedAt;

async function endGroup(record: ProcessRecord): Promise<void> {
  const gone = async (): Promise<boolean> => !isGroupOf(record, await startTimeOf(record.pid));
  if (await gone()) return;
  signalGroup(record.pid, record.stopSignal);
  if (await until(gone, { timeoutMs: LEFTOVER_TIMEOUT_MS })) return;
  signalGroup(record.pid, 'SIGKILL');
  await until(gone, { timeoutMs: LEFTOVER_TIMEOUT_MS });
}

async function endLeftover(record: ProcessRecord): Promise<void> {
  await endGroup(record);
  if (record.ownFolder !== undefined) await killProcessesIn(record.ownFolder);
}

const fileIn = (folder: string, name: string): string => path.join(folder, `${name}.json`);

const readRecord = async (folder: string, name: string): Promise<ProcessRecord | undefined> =>
  parse(await readFile(fileIn(folder, name), 'utf8').catch(() => ''));

/** All recorded processes but the owner. */
export async function endLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
  await Promise.all(
    names
      .filter((name) => name !== OWNER)
      .map(async (name) => {
        const record = await readRecord(folder, name);
        if (record) await endLeftover(record);
        await rm(fileIn(folder, name), { force: true });
      }),
  );
}

/**
 * Also ends processes of an earlier, killed start.
 * @throws {SetupError} if another start uses the folder
 */
export async function claimProcesses(folder: string): Promise<ProcessRecords> {
  await mkdir(folder, { recursive: true });
  const owner = await readRecord(folder, OWNER);
  if (owner && owner.pid !== process.pid && (await isAlive(owner))) {
    throw new SetupError(`Najwa already runs on this data, as process ${owner.pid}: stop that one first.`);
  }
  const self = await identify(process.pid);
  if (self) await writeFile(fileIn(folder, OWNER), JSON.stringify(self));
  await endLeftovers(folder);

  return {
    add: (name, record) => writeFile(fileIn(folder, name), JSON.stringify(record)),
    remove: (name) => rm(fileIn(folder, name), { force: true }),
    release: () => rm(fileIn(folder, OWNER), { force: true }),
  };
}
