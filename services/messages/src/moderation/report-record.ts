import type { ModerationAction, ReportReason } from '@najwa/proto/http';
import type { AudioRecord } from '../store/message-record.js';
import type { SiteTags } from '../store/sender-vault.js';

/** Statement of one reporter. */
export interface ReportEntry {
  id: number;
  /** Tells reporters of one message apart. */
  reporter: string;
  /** Null for a visitor, who hears no outcome. */
  reporterId: number | null;
  isRecipient: boolean;
  reason: ReportReason;
  comment: string;
  at: Date;
  /** The action that answers it. Null while it is open. */
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
  /** Its effect, or that of taking it back, may be missing still. */
  isPending: boolean;
}

/** A message as it was when it was first reported. */
export interface Evidence {
  content: string;
  isPublic: boolean;
  imageName: string | null;
  audio: AudioRecord | null;
  createdAt: Date;
}

/** All reports of one message. */
export interface ReportRecord {
  /** Of the first entry. */
  id: number;
  messageId: number;
  /** The recipient. Moderators do not see it. */
  userId: number;
  evidence: Evidence;
  senderTags: SiteTags;
  /** A draft has nobody who reported yet. */
  status: 'draft' | 'open' | 'closed';
  assignedTo: number | null;
  entries: ReportEntry[];
  actions: ActionRecord[];
  /** When it was last opened or closed. */
  changedAt: Date;
  revision: number;
}

/** An own report, as its account sees it. */
export interface OwnReport {
  entry: ReportEntry;
  messageId: number;
  action: ActionRecord | undefined;
}

/** An action with the reports that it answered. */
export interface ListedAction {
  reportId: number;
  action: ActionRecord;
}

/** A moderator, who judges neither own messages nor own reports nor what an own inbox received. */
export interface Reader {
  id: number;
  /** Of its account as a sender. */
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
  /** Leaves out what is an own affair of an account. */
  reader: Reader;
  status?: 'open' | 'closed';
  assignedTo?: number;
}
