import { migrateDocuments, type Migration } from '@najwa/common/mongo';
import type { Sealer } from '@najwa/common/sealing';
import type { UserRecord } from '../account/user-store.js';
import { recoveryOwner } from './recovery.js';
import { totpOwner } from './second-step.js';

type SealedFields = Pick<UserRecord, 'recovery' | 'totp' | 'pendingTotp'>;

/** Afterwards the previous keys can be removed. */
export const resealMigration = (sealer: Sealer): Migration =>
  migrateDocuments<SealedFields & Pick<UserRecord, 'id'>>({
    name: `2026-11-22-reseal-${sealer.keyId}`,
    collection: 'users',
    orderedBy: 'id',
    projection: { recovery: 1, totp: 1, pendingTotp: 1 },
    change({ id, recovery, totp, pendingTotp }) {
      const key = recovery && sealer.renew(recovery.key, recoveryOwner(id));
      const secret = totp && sealer.renew(totp.secret, totpOwner(id));
      const pending = pendingTotp && sealer.renew(pendingTotp, totpOwner(id));
      const changes: Partial<SealedFields> = {
        ...(recovery && key && { recovery: { ...recovery, key } }),
        ...(totp && secret && { totp: { ...totp, secret } }),
        ...(pending && { pendingTotp: pending }),
      };
      return Object.keys(changes).length === 0 ? null : changes;
    },
  });
