import type { Express, RequestHandler } from 'express';
import { exchangeOf, type Service } from '../exchange.js';
import type { VendorEndpoint, VendorPolicy } from './vendor.js';

/** The step that tells our policies what Express Gateway has found out: which endpoint a path belongs to. */
const endpoint: RequestHandler = (request, response, next) => {
  const { apiEndpoint } = (request as unknown as { egContext: { apiEndpoint: VendorEndpoint } }).egContext;
  const exchange = exchangeOf(response);
  exchange.endpoint = apiEndpoint.apiEndpointName;
  if (apiEndpoint.service !== 'none') exchange.service = apiEndpoint.service as Service;
  next();
};

/**
 * Express Gateway keeps policies in one registry for the whole process, so that what is registered must belong to no
 * gateway in particular: each name stands for whatever the gateway's own configuration object says.
 */
function registration(name: string): VendorPolicy {
  return {
    name,
    schema: { $id: `najwa://policies/${name}` },
    policy: (_parameters, { handlers }) => {
      const handler = name === 'endpoint' ? endpoint : handlers?.[name];
      if (handler === undefined) throw new Error(`There is no policy named ${name}.`);
      return handler;
    },
  };
}

/** What Express Gateway's plugin loader would make of a plugin of ours. */
export function plugin(names: readonly string[], onApp: (app: Express) => void) {
  return { policies: names.map(registration), gatewayRoutes: [onApp] };
}
