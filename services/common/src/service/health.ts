import type { Logger } from '../logging/logger.js';

export type HealthCheck = () => Promise<void> | void;

export interface Health {
  setServing(serving: boolean): void;
  setWaiting(dependency: string | undefined): void;
  /** `failing` names failed checks and what startup waits for. */
  readiness(): Promise<{ ready: boolean; failing: string[] }>;
}

const CHECK_TIMEOUT_MS = 2_000;

export function createHealth(checks: Record<string, HealthCheck>, logger: Logger): Health {
  let serving = false;
  let waitingFor: string | undefined;

  const passes = async (name: string, check: HealthCheck): Promise<boolean> => {
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
      logger.warn({ err: error, check: name }, 'health check failed');
      return false;
    } finally {
      clearTimeout(timeout);
    }
  };

  return {
    setServing(value) {
      serving = value;
    },
    setWaiting(dependency) {
      waitingFor = dependency;
    },
    async readiness() {
      if (!serving) return { ready: false, failing: [waitingFor ?? 'lifecycle'] };
      const names = Object.keys(checks);
      const results = await Promise.all(Object.entries(checks).map(([name, check]) => passes(name, check)));
      const failing = names.filter((_, index) => !results[index]);
      return { ready: failing.length === 0, failing };
    },
  };
}
