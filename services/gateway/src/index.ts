export { loadConfig, type GatewayConfig } from './config.js';
export { create } from './service.js';
export type { GatewayService } from './workers.js';

// For the benchmark of many profiles.
export { createOriginReader } from './domain/request-origin.js';
export { createSiteReader } from './domain/sites.js';
export { publicAnswer } from './public/answer.js';
export { createPublicCache } from './public/reads.js';
export { createFastPath } from './public/serve.js';
