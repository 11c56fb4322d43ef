import type { Identity } from '@najwa/common/identity';
import type { AuditAction, AuditDetails, NewAuditEntry } from '../db/audit.js';

export const entryOf = ({ user, ip }: Identity, action: AuditAction, details: AuditDetails): NewAuditEntry => ({
  userId: user?.id ?? null,
  ipAddress: ip,
  action,
  details,
});
