import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createEvent } from '@najwa/common/amqp';
import type { Bed, CallerIdentity } from '@najwa/testing';

export const visitor: CallerIdentity = { ip: '198.51.100.1' };
export const user: CallerIdentity = { userId: 1_000_001, ip: '198.51.100.2' };
export const administrator: CallerIdentity = { userId: 1_000_002, isAdmin: true, ip: '198.51.100.3' };

export interface TrackedMessage {
  id: number;
  userId?: number;
  content?: string;
}

/** Creates tracking records like the messages service and waits for the last one. */
export async function track(bed: Bed, messages: TrackedMessage[]): Promise<void> {
  for (const { id, userId = 5, content = 'نص' } of messages) {
    const message = {
      id,
      userId,
      content,
      isRead: false,
      isPublic: true,
      imageName: '',
      audioName: '',
      createdAt: new Date(),
      revision: 1,
    };
    const sender = {
      ipAddress: '192.0.2.4',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
      referrer: '',
      language: 'ar-SA,en;q=0.5',
    };
    const sealedSender = await bed.sealTrace(sender, id);
    await bed.publish([createEvent(randomUUID(), { $case: 'messageCreated', value: { message, sealedSender } })]);
    await bed.eventually(async () =>
      expect((await bed.listTracking()).map(({ messageId }) => messageId)).toContain(id),
    );
  }
}

export interface AuditEntry {
  id: number;
  userId: number | null;
  username: string | null;
  ipAddress: string;
  action: string;
  outcome: string;
  details: Record<string, unknown>;
  createdAt: string;
}

export async function readAudit(bed: Bed, query = '?limit=100'): Promise<AuditEntry[]> {
  return (await bed.call('admin', 'GET', `/api/admin/audit${query}`, { identity: administrator })).body as AuditEntry[];
}

export const newAdmin = (bed: Bed, changes: Record<string, unknown> = {}) => ({
  username: `a-${randomUUID().slice(0, 8)}`,
  password: 'secret',
  name: 'سالم',
  email: `${randomUUID().slice(0, 8)}@example.test`,
  adminSecret: bed.environment['ADMIN_SECRET'],
  ...changes,
});
