import type { Express, RequestHandler } from 'express';
import type { Upstream } from '../clients/upstreams.js';
import { exchangeOf } from '../exchange.js';
import type { VendorEndpoint, VendorPolicy } from './vendor.js';

/** Passes the endpoint that Express Gateway has matched on to our policies. */
const endpoint: RequestHandler = (request, response, next) => {
  const { apiEndpoint } = (request as unknown as { egContext: { apiEndpoint: VendorEndpoint } }).egContext;
  const exchange = exchangeOf(response);
  exchange.endpoint = apiEndpoint.apiEndpointName;
  if (apiEndpoint.service !== 'none') exchange.upstream = apiEndpoint.service as Upstream;
  next();
};

/**
 * Express Gateway keeps policies in one registry for the whole process, so a registration must not belong to one
 * gateway: it looks the handler up in the configuration object, of which each gateway has its own.
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

/** A plugin in the form that Express Gateway's plugin loader would produce. */
export function plugin(names: readonly string[], onApp: (app: Express) => void) {
  return { policies: names.map(registration), gatewayRoutes: [onApp] };
}
