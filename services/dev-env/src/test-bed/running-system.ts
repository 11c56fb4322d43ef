import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkoutRoot } from '../bootstrap/environment.js';
import type { Infrastructure } from '../infrastructure/index.js';
import type { System, SystemPart } from '../system/system.js';

/** A system that runs already, as NAJWA_RUNNING_SYSTEM names it in JSON. */
export interface RunningSystem {
  /** The gateway's address. */
  url: string;
  adminSecret: string;
  /** Arguments of `docker` that name the Compose project, if the system is one: parts can be killed then. */
  compose?: string[];
}

const unavailable = (): never => {
  throw new Error('This test needs a system of its own.');
};

/** Lets tests use a system that they did not start. Only what a caller from outside can reach is available. */
export function attachSystem({ url, adminSecret, compose }: RunningSystem): System {
  const run = async (...args: string[]): Promise<void> => {
    if (!compose) unavailable();
    await promisify(execFile)('docker', [...(compose ?? []), ...args], { cwd: checkoutRoot });
  };
  return {
    url,
    adminSecret,
    infrastructure: new Proxy({} as Infrastructure, { get: unavailable }),
    urlOf: unavailable,
    grpcOf: unavailable,
    callerOf: unavailable,
    kill: (part: SystemPart) => run('kill', part),
    signal: unavailable,
    restart: (part: SystemPart) => run('up', '--detach', '--no-build', '--no-deps', '--wait', part),
    stop: () => Promise.resolve(),
  };
}

export function runningSystem(): RunningSystem | undefined {
  const { NAJWA_RUNNING_SYSTEM: text } = process.env;
  return text ? (JSON.parse(text) as RunningSystem) : undefined;
}
