import type { AdminContext } from '../context.js';
import type { AuditAction, AuditDetails, AuditRecord } from '../db/audit.js';

/** Messages looks up no more reports at once. */
const BATCH = 100;

/** Numbers and ids of these would reveal reports that are hidden from the reader. */
const LISTS: readonly AuditAction[] = ['reports.list', 'actions.list'];

const idIn = ({ details }: AuditRecord, name: 'reportId' | 'actionId'): number => {
  const id = details[name];
  return typeof id === 'number' ? id : 0;
};

const isAboutReport = (entry: AuditRecord): boolean => idIn(entry, 'reportId') !== 0 || idIn(entry, 'actionId') !== 0;

/**
 * The audit log, newest first, without actions on the reader's own affairs. Entries of removed reports show only actor
 * and time. The reader's own entries are complete: a gap would reveal that an id is their affair.
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
