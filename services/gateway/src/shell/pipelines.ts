import { fileURLToPath } from 'node:url';
import type { Logger } from '@najwa/common/logging';
import type { RequestHandler, Response } from 'express';
import type { Upstream } from '../clients/upstreams.js';
import { exchangeOf } from '../exchange.js';

export interface ShellOptions {
  /** By their names in gateway.config.yml. */
  policies: Record<string, RequestHandler>;
  logger: Logger;
}

export const CONFIG_PATH = fileURLToPath(new URL('../../gateway.config.yml', import.meta.url));

/** The step of a pipeline that is the shell's own: it notes the endpoint. */
export const ENDPOINT_STEP = 'endpoint';

/** Passes the endpoint that the shell has matched on to our policies. */
export function noteEndpoint(response: Response, name: string, service: string): void {
  const exchange = exchangeOf(response);
  exchange.endpoint = name;
  if (service !== 'none') exchange.upstream = service as Upstream;
}

/** @throws {Error} if there is none */
export function policyNamed(name: string, policies: ShellOptions['policies'] = {}): RequestHandler {
  const policy = policies[name];
  if (policy === undefined) throw new Error(`There is no policy named ${name}.`);
  return policy;
}
