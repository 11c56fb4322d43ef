export * from './database.js';
export * from './counters.js';
export * from './errors.js';
export * from './id-ranges.js';
export * from './indexes.js';
export * from './insert-each.js';
export * from './migrations.js';
