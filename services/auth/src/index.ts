export { loadConfig, type AuthConfig } from './config.js';
export { create } from './service.js';
