import type { RunningProcess } from './supervisor.js';

/** Processes that start and stop together. */
export class Program {
  #running: RunningProcess[] = [];
  readonly #listeners: (() => void)[] = [];

  /** @param launch in order; stopped in reverse */
  constructor(
    readonly name: string,
    private readonly launch: (signal?: AbortSignal) => AsyncGenerator<RunningProcess, void, void>,
  ) {}

  /** @throws {SetupError} if it does not become ready; all are stopped then */
  async start(signal?: AbortSignal): Promise<void> {
    const group: RunningProcess[] = [];
    try {
      for await (const process of this.launch(signal)) group.push(process);
    } catch (error) {
      for (const process of group.reverse()) await process.stop();
      throw error;
    }
    this.#running = group;
    for (const process of group) void process.ended.then(() => this.#handleEnd(group));
  }

  async #handleEnd(group: RunningProcess[]): Promise<void> {
    // Expected: stop or kill took this group.
    if (this.#running !== group) return;
    await this.kill();
    for (const listener of this.#listeners) listener();
  }

  #takeAll(): RunningProcess[] {
    const taken = this.#running.reverse();
    this.#running = [];
    return taken;
  }

  async stop(): Promise<void> {
    for (const process of this.#takeAll()) await process.stop();
  }

  /** SIGKILL, without a restart. */
  async kill(): Promise<void> {
    await Promise.all(this.#takeAll().map((process) => process.kill()));
  }

  /** From outside: an exit that follows counts as a crash. */
  signal(signal: NodeJS.Signals): void {
    for (const process of this.#running) process.signal(signal);
  }

  /** After the others have been killed. */
  onCrash(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
