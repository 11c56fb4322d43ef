export { loadConfig, type TrackingConfig } from './config.js';
export { create } from './service.js';
