export * from './health.js';
export * from './lifecycle.js';
export * from './service.js';
export {
  createSweepBounds,
  createSweepClock,
  MAX_REPLICA_SKEW_MS,
  SWEEP_PERMITS,
  type SweepBounds,
  type SweepClock,
} from './sweeper.js';
