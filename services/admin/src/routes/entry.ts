import { keptAddress, type Identity } from '@najwa/common/identity';
import type { AuditAction, AuditDetails, NewAuditEntry } from '../db/audit.js';

export const entryOf = (caller: Identity, action: AuditAction, details: AuditDetails): NewAuditEntry => ({
  userId: caller.user?.id ?? null,
  ipAddress: keptAddress(caller),
  action,
  details,
});
