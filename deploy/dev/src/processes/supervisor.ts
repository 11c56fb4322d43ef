import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { inCheckout, SetupError } from '../bootstrap/environment.js';
import { makePrivateFolder } from '../private-files.js';
import { killProcessesIn } from './working-directory.js';
import { Child } from './child.js';
import { identify, until } from '../bootstrap/processes.js';
import { reasonIn } from './reason.js';
import { claimProcesses } from './records.js';

const LARGE_LOG_BYTES = 10 * 1024 * 1024;
/** On a busy machine RabbitMQ takes more than one minute. */
const READY_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 10_000;

export interface ProcessSpec {
  /** Of its record and log. */
  name: string;
  command: string;
  args: readonly string[];
  /** Complete: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** Exclusive working directory, to find processes that leave the group and outlive it. */
  ownFolder?: string;
  /** Also logged. */
  onLine?: (line: string) => void;
  /** Polled. */
  ready: () => Promise<boolean>;
  readyTimeoutMs?: number;
  stopSignal?: NodeJS.Signals;
  /** Milliseconds before SIGKILL. */
  stopTimeoutMs?: number;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  /** With its descendants. */
  readonly ended: Promise<void>;
  /** SIGKILL after a timeout. */
  stop(): Promise<void>;
  /** SIGKILL, with its descendants. */
  kill(): Promise<void>;
  /** With its descendants. */
  signal(signal: NodeJS.Signals): void;
}

/** Stops processes with their owner. If that is killed, the next start on the folder ends them. */
export interface Supervisor {
  readonly folder: string;
  /** @throws {SetupError} if it is not ready in time; it is killed then */
  start(spec: ProcessSpec, signal?: AbortSignal): Promise<RunningProcess>;
  /** Rotated if large. */
  logFile(name: string): Promise<string>;
  release(): Promise<void>;
}

export interface SupervisorOptions {
  /** Removes folder and processes even if we are killed. */
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
 * `processes` holds records, `logs` output.
 * @throws {SetupError} if another start uses the folder
 */
export async function openSupervisor(
  folder: string,
  { temporary = false }: SupervisorOptions = {},
): Promise<Supervisor> {
  // Logs and data are private.
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
      const child = await Child.start({ ...spec, log });
      const { pid } = child;
      if (pid === undefined) throw new SetupError(`${name} could not be started.`, { cause: child.startError });
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
        const isReady = await until(async () => child.hasEnded || (await ready()), {
          timeoutMs: readyTimeoutMs,
          signal,
        });
        if (child.hasEnded) {
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
          if (child.hasEnded) return;
          child.signal(stopSignal);
          const timer = setTimeout(() => child.signalGroup('SIGKILL'), stopTimeoutMs);
          await ended;
          clearTimeout(timer);
        },
      };
    },
  };
}
