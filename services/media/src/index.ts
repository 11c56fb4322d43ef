export { loadConfig, type MediaConfig } from './config.js';
export { create } from './service.js';
