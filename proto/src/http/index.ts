export { profileFields } from './accounts.js';
export * from './client.js';
export { fields, ruled, UploadedImage } from './fields.js';
export type { AnswerSpec, OperationSpec } from './operation.js';
export * from './operations.js';
