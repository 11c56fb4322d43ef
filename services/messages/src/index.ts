export { loadConfig, type MessagesConfig } from './config.js';
export { create } from './service.js';
