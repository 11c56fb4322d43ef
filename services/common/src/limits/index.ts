export * from './arrival.js';
export * from './client-network.js';
export * from './fair-queue.js';
export * from './idempotency.js';
export * from './measured-queue.js';
export * from './rate-limit.js';
