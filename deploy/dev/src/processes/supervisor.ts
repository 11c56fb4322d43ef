import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { inCheckout, SetupError } from '../bootstrap/environment.js';
import { makePrivateFolder } from '../private-files.js';
import { killProcessesIn } from './working-directory.js';
import { startChild } from './child.js';
import { identify, until } from '../bootstrap/processes.js';
import { reasonIn } from './reason.js';
import { claimProcesses } from './records.js';

const LARGE_LOG_BYTES = 10 * 1024 * 1024;
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

export interface ProcessSpec {
  /** Names its record and its log. */
  name: string;
  command: string;
  args: readonly string[];
  /** The whole environment: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** The working directory of its processes alone. Used to find those that leave its process group and outlive it. */
  ownFolder?: string;
  /** Called with every line of output, which also goes to the log. */
  onLine?: (line: string) => void;
  /** Polled until it holds. */
  ready: () => Promise<boolean>;
  readyTimeoutMs?: number;
  stopSignal?: NodeJS.Signals;
  /** Grace period before it is killed, in milliseconds. */
  stopTimeoutMs?: number;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves when it and its descendants have ended. */
  readonly ended: Promise<void>;
  /** Asks it to stop, and kills it after a timeout. */
  stop(): Promise<void>;
  /** Sends SIGKILL to it and its descendants. */
  kill(): Promise<void>;
  /** To it and its descendants. */
  signal(signal: NodeJS.Signals): void;
}

/** Starts processes and stops them with their owner. If the owner is killed, the next start on the folder ends them. */
export interface Supervisor {
  readonly folder: string;
  /** @throws {SetupError} when it ends or times out before it is ready; it is killed then */
  start(spec: ProcessSpec, signal?: AbortSignal): Promise<RunningProcess>;
  /** The path of a log. A large one is rotated first. */
  logFile(name: string): Promise<string>;
  release(): Promise<void>;
}

export interface SupervisorOptions {
  /** Removes the folder, and ends its processes at once, even if we are killed. */
  temporary?: boolean;
}

function startWatchdog(folder: string): ChildProcess {
  const watchdog = spawn(process.execPath, [inCheckout('deploy/dev/dist/processes/watchdog.js'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  return watchdog;
}

/**
 * Claims a data folder: `processes` holds the records, `logs` the output of the processes.
 * @throws {SetupError} when another start is using the folder
 */
export async function openSupervisor(
  folder: string,
  { temporary = false }: SupervisorOptions = {},
): Promise<Supervisor> {
  // Logs and the data of the servers are private as well.
  await makePrivateFolder(folder);
  await mkdir(path.join(folder, 'logs'), { recursive: true });
  const records = await claimProcesses(path.join(folder, 'processes'));
  const watchdog = temporary ? startWatchdog(folder) : undefined;

  const logFile = async (name: string): Promise<string> => {
    const file = path.join(folder, 'logs', `${name}.log`);
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size > LARGE_LOG_BYTES) await rename(file, `${file}.old`);
    return file;
  };

  return {
    folder,
    logFile,
    async release() {
      watchdog?.kill('SIGKILL');
      await records.release();
    },
    async start(
      {
        name,
        ready,
        readyTimeoutMs = READY_TIMEOUT_MS,
        stopSignal = 'SIGTERM',
        stopTimeoutMs = STOP_TIMEOUT_MS,
        ownFolder,
        ...spec
      },
      signal,
    ) {
      signal?.throwIfAborted();
      const log = await logFile(name);
      const child = await startChild({ ...spec, log });
      const { pid } = child;
      if (pid === undefined) throw new SetupError(`${name} could not be started.`, { cause: child.startError() });
      const identity = await identify(pid);
      if (identity) await records.add(name, { ...identity, stopSignal, ownFolder });
      const cleanUp = async (): Promise<void> => {
        if (ownFolder !== undefined) await killProcessesIn(ownFolder);
        await records.remove(name);
      };
      const ended = child.ended.then(cleanUp);

      const kill = async (): Promise<void> => {
        child.signalGroup('SIGKILL');
        await ended;
      };
      try {
        const isReady = await until(async () => child.hasEnded() || (await ready()), {
          timeoutMs: readyTimeoutMs,
          signal,
        });
        if (child.hasEnded()) {
          const reason = reasonIn(await readFile(log, 'utf8').catch(() => ''));
          throw new SetupError(
            `${name} ended before it was ready; its output is in ${log}${reason === '' ? '.' : `: ${reason}`}`,
          );
        }
        if (!isReady)
          throw new SetupError(`${name} was not ready after ${readyTimeoutMs / 1_000} s; its output is in ${log}.`);
      } catch (error) {
        await kill();
        throw error;
      }
      return {
        name,
        pid,
        ended,
        kill,
        signal: (name) => child.signalGroup(name),
        async stop() {
          if (child.hasEnded()) return;
          child.signal(stopSignal);
          const timer = setTimeout(() => child.signalGroup('SIGKILL'), stopTimeoutMs);
          await ended;
          clearTimeout(timer);
        },
      };
    },
  };
}
