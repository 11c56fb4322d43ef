import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry, type OutboxEntry } from '@najwa/common/amqp';
import type { ActionRecord, ReportRecord } from './report-record.js';

export function reportCreated(reportId: number, messageId: number): OutboxEntry {
  return outboxEntry(createEvent(randomUUID(), { $case: 'reportCreated', value: { reportId, messageId } }));
}

/** For the reporter. Null while open. */
export function outcomeOf(
  action: Pick<ActionRecord, 'action' | 'undone'> | undefined,
): 'dismissed' | 'removed' | 'acted' | null {
  if (action === undefined || action.undone) return null;
  if (action.action === 'dismiss') return 'dismissed';
  return action.action === 'remove' ? 'removed' : 'acted';
}

/** @param entries that the action answers or answered */
export function reportDecided(
  { id, messageId }: ReportRecord,
  action: ActionRecord,
  entries: ReportRecord['entries'],
): OutboxEntry {
  const value = {
    reportId: id,
    messageId,
    actionId: action.id,
    outcome: outcomeOf(action) ?? 'open',
    reporters: entries.flatMap(({ id: reportId, reporterId }) =>
      reporterId === null ? [] : [{ userId: reporterId, reportId }],
    ),
  };
  return outboxEntry(createEvent(randomUUID(), { $case: 'reportDecided', value }));
}

export function accountSuspended(actionId: number, until: Date): OutboxEntry {
  return outboxEntry(createEvent(randomUUID(), { $case: 'accountSuspended', value: { actionId, until } }));
}
