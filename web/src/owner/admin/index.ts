export { AdminCreatePage } from './AdminCreatePage.js';
export { AdminPage } from './AdminPage.js';
export type { AuditEntry, Conversation, TrackingRecord } from './types.js';
