import type { RunningProcess } from './supervisor.js';

/** Processes that start and stop together, such as a database and its protocol server. */
export interface Program {
  readonly name: string;
  /** @throws {SetupError} when it does not become ready; all its processes are stopped then */
  start(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
  /** Sends SIGKILL to all its processes. It is not restarted. */
  kill(): Promise<void>;
  /** Signals all its processes, as somebody else on the machine could: an end that follows is a crash. */
  signal(signal: NodeJS.Signals): void;
  /** Called when one of its processes ends unexpectedly, after the others have been killed. */
  onCrash(listener: () => void): void;
}

/** @param launch starts the processes one after the other; they are stopped in reverse order */
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
        // stop or kill has taken this group, so its end is expected.
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
