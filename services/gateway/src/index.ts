export { loadConfig, type GatewayConfig } from './config.js';
export { create, type GatewayService } from './service.js';
