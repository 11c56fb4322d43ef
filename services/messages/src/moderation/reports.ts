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

/** Recipients report what they received, anyone what is public. */
function mayReport({ userId, isPublic, aside }: MessageRecord, reporterId: number | undefined): boolean {
  if (aside !== null && !isShownAside(aside)) return false;
  return userId === reporterId || (isPublic && aside === null);
}

/**
 * The mark protects files from a concurrent deletion; the draft lets the sweep find an orphaned mark.
 * @returns the report, or the reporter's earlier one
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
