export { loadConfig, type AdminConfig } from './config.js';
export { create } from './service.js';
