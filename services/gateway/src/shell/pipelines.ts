import { fileURLToPath } from 'node:url';
import type { Logger } from '@najwa/common/logging';
import type { RequestHandler, Response } from 'express';
import type { Upstream } from '../clients/upstreams.js';
import { exchangeOf } from '../exchange.js';

export interface ShellOptions {
  policies: Record<string, RequestHandler>;
  logger: Logger;
}

export const CONFIG_PATH = fileURLToPath(new URL('../../gateway.config.yml', import.meta.url));

export const ENDPOINT_STEP = 'endpoint';

export function noteEndpoint(response: Response, name: string, service: string): void {
  const exchange = exchangeOf(response);
  exchange.endpoint = name;
  if (service !== 'none') exchange.upstream = service as Upstream;
}

export function policyNamed(name: string, policies: ShellOptions['policies'] = {}): RequestHandler {
  const policy = policies[name];
  if (policy === undefined) throw new Error(`There is no policy named ${name}.`);
  return policy;
}
