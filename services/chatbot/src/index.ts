export { loadConfig, type ChatbotConfig } from './config.js';
export { create } from './service.js';
