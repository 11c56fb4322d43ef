export { loadConfig, type GatewayConfig } from './config.js';
export { create, type GatewayService } from './service.js';

// For the benchmark of many profiles, which fills the cache itself.
export { createOriginReader } from './domain/request-origin.js';
export { createSiteReader } from './domain/sites.js';
export { publicAnswer } from './public/answer.js';
export { createPublicCache } from './public/reads.js';
export { createFastPath } from './public/serve.js';
