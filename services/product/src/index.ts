export * from './data-keys.js';
export * from './deletion-ledger.js';
export * from './message-counts.js';
export * from './proof-of-work.js';
