import type { Infrastructure } from '@najwa/dev/infrastructure';
import type { System } from '@najwa/dev/system';

/** A system that another process started. NAJWA_RUNNING_SYSTEM names one in JSON. */
export interface RunningSystem {
  /** The gateway's address. */
  url: string;
  adminSecret: string;
  /** Arguments of `docker` that name the Compose project, if the system is one. */
  compose?: string[];
}

const unavailable = (): never => {
  throw new Error('This test needs a system of its own.');
};

/** Lets tests use a system that they did not start. Only what a caller from outside can reach is available. */
export function attachSystem({ url, adminSecret }: RunningSystem): System {
  return {
    url,
    adminSecret,
    infrastructure: new Proxy({} as Infrastructure, { get: unavailable }),
    urlOf: unavailable,
    grpcOf: unavailable,
    callerOf: unavailable,
    // Others use it at the same time.
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
