import type { Logger } from '../logging/logger.js';

export type HealthCheck = () => Promise<void> | void;

const CHECK_TIMEOUT_MS = 2_000;

export class Health {
  #isServing = false;
  #waitingFor: string | undefined;

  constructor(
    private readonly checks: Record<string, HealthCheck>,
    private readonly logger: Logger,
  ) {}

  setServing(serving: boolean): void {
    this.#isServing = serving;
  }
  setWaiting(dependency: string | undefined): void {
    this.#waitingFor = dependency;
  }
  /** `failing` names failed checks and what startup waits for. */
  async readiness(): Promise<{ ready: boolean; failing: string[] }> {
    if (!this.#isServing) return { ready: false, failing: [this.#waitingFor ?? 'lifecycle'] };
    const names = Object.keys(this.checks);
    const results = await Promise.all(Object.entries(this.checks).map(([name, check]) => this.#passes(name, check)));
    const failing = names.filter((_, index) => !results[index]);
    return { ready: failing.length === 0, failing };
  }

  async #passes(name: string, check: HealthCheck): Promise<boolean> {
    let timeout: NodeJS.Timeout | undefined;
    try {
      await Promise.race([
        Promise.resolve().then(check),
        new Promise((_, reject) => {
          timeout = setTimeout(() => reject(new Error('The health check timed out.')), CHECK_TIMEOUT_MS);
        }),
      ]);
      return true;
    } catch (error) {
      this.logger.warn({ err: error, check: name }, 'health check failed');
      return false;
    } finally {
      clearTimeout(timeout);
    }
  }
}
