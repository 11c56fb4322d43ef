export * from './health.js';
export * from './lifecycle.js';
export * from './service.js';
export { MAX_REPLICA_SKEW_MS, SWEEP_PERMITS, SweepBounds, SweepClock } from './sweeper.js';
