import type { Express, RequestHandler } from 'express';
import { ENDPOINT_STEP, noteEndpoint, policyNamed } from '../pipelines.js';
import type { VendorEndpoint, VendorPolicy } from './vendor.js';

const endpoint: RequestHandler = (request, response, next) => {
  const { apiEndpoint } = (request as unknown as { egContext: { apiEndpoint: VendorEndpoint } }).egContext;
  noteEndpoint(response, apiEndpoint.apiEndpointName, apiEndpoint.service);
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
    policy: (_parameters, { handlers }) => (name === ENDPOINT_STEP ? endpoint : policyNamed(name, handlers)),
  };
}

/** A plugin in the form that Express Gateway's plugin loader would produce. */
export function plugin(names: readonly string[], onApp: (app: Express) => void) {
  return { policies: names.map(registration), gatewayRoutes: [onApp] };
}
