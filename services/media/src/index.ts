export { loadConfig, type MediaConfig } from './config.js';
export { create } from './service.js';
export { forgeWrites } from './doctor/forged-writes.js';
