export { SetupError } from './bootstrap/environment.js';
export * from './infrastructure/index.js';
export { keepRunning } from './processes/keep-running.js';
export { freePort } from './processes/ports.js';
export * from './reporter.js';
export * from './test-bed/index.js';
export * from './system/system.js';
