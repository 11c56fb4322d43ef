export { loadConfig, type GatewayConfig } from './config.js';
export { create } from './service.js';
export type { GatewayService } from './workers.js';

// For a test of what overtakes what.
export { createPublicCache } from './public/reads.js';
