import type { RunningProcess } from './supervisor.js';

/** One or more processes that only make sense together, such as a database and what speaks for it. */
export interface Program {
  readonly name: string;
  /** @throws {SetupError} when it does not become ready; nothing is left of it then. */
  start(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
  /** SIGKILL to all of it, and no restart. */
  kill(): Promise<void>;
  /** Called when a process of it ends without having been told to, after the others were killed as well. */
  onCrash(listener: () => void): void;
}

/** @param launch starts the processes one after the other; they are stopped in the opposite order */
export function createProgram(
  name: string,
  launch: (signal?: AbortSignal) => AsyncGenerator<RunningProcess, void, void>,
): Program {
  let running: RunningProcess[] = [];
  const listeners: (() => void)[] = [];

  const takeAll = (): RunningProcess[] => {
    const taken = running.reverse();
    running = [];
    return taken;
  };

  const watch = (group: RunningProcess[]): void => {
    for (const process of group) {
      void process.ended.then(async () => {
        // A group that was taken by stop or kill is expected to end.
        if (running !== group) return;
        await Promise.all(takeAll().map((other) => other.kill()));
        for (const listener of listeners) listener();
      });
    }
  };

  return {
    name,
    async start(signal) {
      const group: RunningProcess[] = [];
      try {
        for await (const process of launch(signal)) group.push(process);
      } catch (error) {
        for (const process of group.reverse()) await process.stop();
        throw error;
      }
      running = group;
      watch(group);
    },
    async stop() {
      for (const process of takeAll()) await process.stop();
    },
    async kill() {
      await Promise.all(takeAll().map((process) => process.kill()));
    },
    onCrash(listener) {
      listeners.push(listener);
    },
  };
}
