import type { AdminContext } from '../context.js';
import type { AuditAction, AuditDetails, AuditRecord } from '../db/audit.js';

/** Entries that are read at once. Messages looks up no more reports. */
const BATCH = 100;

/** Pages of the queue: from their numbers and ids a reader would see which reports are left out of its own. */
const LISTS: readonly AuditAction[] = ['reports.list', 'actions.list'];

const idIn = ({ details }: AuditRecord, name: 'reportId' | 'actionId'): number => {
  const id = details[name];
  return typeof id === 'number' ? id : 0;
};

const isAboutReport = (entry: AuditRecord): boolean => idIn(entry, 'reportId') !== 0 || idIn(entry, 'actionId') !== 0;

/**
 * The audit log as an administrator may read it, newest first: without what others did about the reader's own affairs. Once a
 * report is gone, so is whose affair it was, and nothing is shown of it but who did something, and when. Own entries are whole:
 * if one was left out, the reader could try ids and see which of them are its affairs.
 */
export async function listForeignEntries(
  { audit, messages }: Pick<AdminContext, 'audit' | 'messages'>,
  readerId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<AuditRecord[]> {
  const listed: AuditRecord[] = [];
  for (let last = before; listed.length < limit;) {
    const found = await audit.list({ before: last, limit: BATCH });
    const asked = found.filter((entry) => entry.userId !== readerId && isAboutReport(entry));
    const idsOf = (name: 'reportId' | 'actionId'): number[] => [
      ...new Set(asked.map((entry) => idIn(entry, name)).filter((id) => id !== 0)),
    ];
    const affairs =
      asked.length === 0
        ? []
        : await messages.findAffairs({ readerId, reportIds: idsOf('reportId'), actionIds: idsOf('actionId') });
    for (const entry of found) {
      const affair = affairs.find(
        ({ reportId, actionIds }) =>
          reportId === idIn(entry, 'reportId') || actionIds.includes(idIn(entry, 'actionId')),
      );
      if (entry.userId === readerId) listed.push(entry);
      else if (affair?.isOwn !== true) listed.push({ ...entry, details: shownDetails(entry, affair !== undefined) });
    }
    if (found.length < BATCH) break;
    last = found.at(-1)?.id;
  }
  return listed.slice(0, limit);
}

function shownDetails(entry: AuditRecord, isKnown: boolean): AuditDetails {
  if (isAboutReport(entry)) return isKnown ? entry.details : {};
  if (!LISTS.includes(entry.action)) return entry.details;
  const { status, kind } = entry.details;
  return { ...(status !== undefined && { status }), ...(kind !== undefined && { kind }) };
}
