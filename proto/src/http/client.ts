// The contract without zod: for the web client, the gateway and tools.
export * from './asked.js';
export * from './codes.js';
export * from './errors.js';
export * from './limits.js';
export * from './moderation.js';
export * from './pictures.js';
export * from './preview.js';
export * from './request.js';
export * from './retention.js';
export * from './routes.js';
export * from './rules.js';
export * from './services.js';
export * from './text.js';
export type { ProfileFields } from './accounts.js';
export type { Answer, Body, GivenParams, GivenQuery } from './operations.js';
