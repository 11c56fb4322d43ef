export * from './metrics.js';
export * from './workers.js';
