export { SetupError } from './errors.js';
export * from './infrastructure/index.js';
export * from './reporter.js';
export * from './test-bed/index.js';
export * from './system/system.js';
