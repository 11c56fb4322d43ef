import type { RunningProcess } from './supervisor.js';

/** Processes that start and stop together. */
export interface Program {
  readonly name: string;
  /** @throws {SetupError} if it does not become ready; all are stopped then */
  start(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
  /** SIGKILL, without a restart. */
  kill(): Promise<void>;
  /** From outside: an exit that follows counts as a crash. */
  signal(signal: NodeJS.Signals): void;
  /** After the others have been killed. */
  onCrash(listener: () => void): void;
}

/** @param launch in order; stopped in reverse */
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
        // Expected: stop or kill took this group.
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
    signal(signal) {
      for (const process of running) process.signal(signal);
    },
    onCrash(listener) {
      listeners.push(listener);
    },
  };
}
