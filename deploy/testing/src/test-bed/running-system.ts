import type { Infrastructure } from '@najwa/dev/infrastructure';
import type { System } from '@najwa/dev/system';

/** Started by another process, named by NAJWA_RUNNING_SYSTEM in JSON. */
export interface RunningSystem {
  /** Of the gateway. */
  url: string;
  adminSecret: string;
  /** `docker` arguments that name the Compose project. */
  compose?: string[];
}

const unavailable = (): never => {
  throw new Error('This test needs a system of its own.');
};

/** Offers only what outside callers can reach. */
export function attachSystem({ url, adminSecret }: RunningSystem): System {
  return {
    url,
    adminSecret,
    infrastructure: new Proxy({} as Infrastructure, { get: unavailable }),
    urlOf: unavailable,
    grpcOf: unavailable,
    callerOf: unavailable,
    // Shared with others.
    kill: unavailable,
    signal: unavailable,
    restart: unavailable,
    stop: () => Promise.resolve(),
  };
}

export function runningSystem(): RunningSystem | undefined {
  const { NAJWA_RUNNING_SYSTEM: text } = process.env;
  return text ? (JSON.parse(text) as RunningSystem) : undefined;
}
