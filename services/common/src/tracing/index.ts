export * from './span.js';
export * from './tracing.js';
