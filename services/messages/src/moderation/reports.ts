import type { OutboxRelay } from '@najwa/common/amqp';
import type { Identity } from '@najwa/common/identity';
import type { ReportReason } from '@najwa/proto/http';
import { notFound } from '../inbox/inbox.js';
import { messageUpdated } from '../store/events.js';
import { isShownAside, type MessageRecord } from '../store/message-record.js';
import type { MessageRepository } from '../store/messages.js';
import type { SenderVault } from '../store/sender-vault.js';
import { reportCreated } from './events.js';
import type { ReportEntry } from './report-record.js';
import type { ReportRepository } from './report-store.js';

/** Needs of reports. */
export interface ReportsDeps {
  messages: MessageRepository;
  reports: ReportRepository;
  senders: SenderVault;
  outbox: OutboxRelay;
}

export interface NewReport {
  messageId: number;
  reason: ReportReason;
  comment: string;
}

/** Its recipient may report a message, in the inbox or set aside, and anybody may report a public one. */
function mayReport({ userId, isPublic, aside }: MessageRecord, reporterId: number | undefined): boolean {
  if (aside !== null && !isShownAside(aside)) return false;
  return userId === reporterId || (isPublic && aside === null);
}

/**
 * Reports a message. A copy of it is kept for moderators from then on. The message is marked first, so that a deletion
 * which comes in between leaves its picture or sound to them. A draft comes before the mark, so that the sweep finds a mark
 * whose report was never written.
 * @returns the report, or the one that the same reporter made before
 * @throws {AppError} `message_not_found`
 */
export async function reportMessage(
  { messages, reports, senders, outbox }: ReportsDeps,
  reporter: Identity,
  { messageId, reason, comment }: NewReport,
): Promise<ReportEntry> {
  const reporterTag = senders.reporterTag(reporter);
  const earlier = (await reports.findByMessage(messageId))?.entries.find((entry) => entry.reporter === reporterTag);
  if (earlier) return earlier;
  const requireReportable = (current: MessageRecord | null): MessageRecord => {
    if (current === null || !mayReport(current, reporter.user?.id)) throw notFound();
    return current;
  };
  const found = requireReportable(await messages.find(messageId));
  await reports.begin({ ...copyOf({ ...found, content: '' }), senderTags: { account: null, visitor: null } });
  const message = await messages.change(messageId, (current) =>
    requireReportable(current).isReported
      ? null
      : { set: { isReported: true }, events: (change) => [messageUpdated(change)] },
  );
  if (message === null) throw notFound();
  const entry = await reports.add(
    { ...copyOf(message), senderTags: senders.tagsOf(await senders.senderOf(message)) },
    {
      reporter: reporterTag,
      reporterId: reporter.user?.id ?? null,
      isRecipient: reporter.user?.id === message.userId,
      reason,
      comment,
    },
    (reportId) => reportCreated(reportId, messageId),
  );
  outbox.notify();
  return entry;
}

const copyOf = ({ id: messageId, userId, content, isPublic, imageName, audio, createdAt }: MessageRecord) => ({
  messageId,
  userId,
  evidence: { content, isPublic, imageName, audio, createdAt },
});
