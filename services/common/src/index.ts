export * from './batcher.js';
export * from './minute.js';
export * from './random-ids.js';
export * from './single-flight.js';
export * from './coarse.js';
export * from './user-agent.js';
