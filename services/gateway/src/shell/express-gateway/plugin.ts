import type { Express, RequestHandler } from 'express';
import { ENDPOINT_STEP, noteEndpoint, policyNamed } from '../pipelines.js';
import type { VendorEndpoint, VendorPolicy } from './vendor.js';

const endpoint: RequestHandler = (request, response, next) => {
  const { apiEndpoint } = (request as unknown as { egContext: { apiEndpoint: VendorEndpoint } }).egContext;
  noteEndpoint(response, apiEndpoint.apiEndpointName, apiEndpoint.service);
  next();
};

/**
 * Express Gateway registers policies per process, so a registration looks its handler up in the gateway's
 * configuration.
 */
function registration(name: string): VendorPolicy {
  return {
    name,
    schema: { $id: `najwa://policies/${name}` },
    policy: (_parameters, { handlers }) => (name === ENDPOINT_STEP ? endpoint : policyNamed(name, handlers)),
  };
}

export function plugin(names: readonly string[], onApp: (app: Express) => void) {
  return { policies: names.map(registration), gatewayRoutes: [onApp] };
}
