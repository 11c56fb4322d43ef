export { profileFieldNames, profileFields } from './accounts.js';
export * from './client.js';
export { fields, ruled, UploadedImage } from './fields.js';
export type { AnswerSpec, OperationSpec } from './operation.js';
export * from './operations.js';
export {
  NOTIFICATION_KINDS,
  PUSH_KINDS,
  type KindsChange,
  type NotificationKind,
  type PushKind,
  type QuietHours,
} from './push.js';
export { receivingUpdate, type ReceivingSettings } from './receiving.js';
export type { FiltersChange } from './safety.js';
