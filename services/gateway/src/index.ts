export { loadConfig, type GatewayConfig } from './config.js';
export { create, type GatewayService } from './service.js';

// For the benchmark of many profiles, which fills the memory itself.
export { publicAnswer } from './public/answer.js';
export { createPublicMemory } from './domain/tagged-cache.js';
export { createOriginReader } from './domain/request-origin.js';
export { createSiteReader } from './domain/sites.js';
export { createFastPath } from './public/serve.js';
