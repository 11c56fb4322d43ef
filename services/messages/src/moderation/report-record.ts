import type { ModerationAction, ReportReason } from '@najwa/proto/http';
import type { AudioRecord } from '../store/message-record.js';
import type { SiteTags } from '../store/sender-vault.js';

export interface ReportEntry {
  id: number;
  /** Distinguishes reporters of one message. */
  reporter: string;
  /** Null for a visitor, who is not notified. */
  reporterId: number | null;
  isRecipient: boolean;
  reason: ReportReason;
  comment: string;
  at: Date;
  /** Action that answers it. Null while open. */
  decidedBy: number | null;
}

export interface ActionRecord {
  id: number;
  action: ModerationAction;
  reason: string;
  days: number | null;
  actorId: number;
  at: Date;
  undone: { actorId: number; reason: string; at: Date } | null;
  /** Its effect, or its reversal, may be missing. */
  isPending: boolean;
}

export interface Evidence {
  content: string;
  isPublic: boolean;
  imageName: string | null;
  audio: AudioRecord | null;
  createdAt: Date;
}

export interface ReportRecord {
  /** Id of the first entry. */
  id: number;
  messageId: number;
  /** The recipient, hidden from moderators. */
  userId: number;
  evidence: Evidence;
  senderTags: SiteTags;
  /** A draft has no reporter yet. */
  status: 'draft' | 'open' | 'closed';
  assignedTo: number | null;
  entries: ReportEntry[];
  actions: ActionRecord[];
  changedAt: Date;
  revision: number;
}

export interface OwnReport {
  entry: ReportEntry;
  messageId: number;
  action: ActionRecord | undefined;
}

export interface ListedAction {
  reportId: number;
  action: ActionRecord;
}

/** A moderator, barred from cases as sender, reporter or recipient. */
export interface Reader {
  id: number;
  /** Tags of the account as a sender. */
  senderTags: readonly string[];
}

export const isOwnAffair = (
  { userId, entries, senderTags }: Pick<ReportRecord, 'userId' | 'entries' | 'senderTags'>,
  reader: Reader,
): boolean =>
  userId === reader.id ||
  entries.some(({ reporterId }) => reporterId === reader.id) ||
  (senderTags.account !== null && reader.senderTags.includes(senderTags.account));

export interface ReportFilter {
  reader: Reader;
  status?: 'open' | 'closed';
  assignedTo?: number;
}
