import { AppError } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import type { TrackingRecord as PresentedRecord, TrackingServiceService } from '@najwa/proto/tracking';
import type { TrackingContext } from '../context.js';
import type { TraceRecord, TrackingRecord } from '../db/records.js';

const MAX_LIMIT = 100;

/** Code units. HTTP allows a hundred characters of several units each. */
const MAX_TEXT_LENGTH = 1_600;

export function rpc({ records, seals }: TrackingContext): UnaryHandlers<TrackingServiceService> {
  return {
    async listTracking({ before, limit, recipientId, text }) {
      if (limit < 1 || limit > MAX_LIMIT)
        throw new AppError({ code: 'invalid_input', message: `The limit is from 1 to ${MAX_LIMIT}.` });
      if (text.length > MAX_TEXT_LENGTH)
        throw new AppError({ code: 'invalid_input', message: `The text has at most ${MAX_TEXT_LENGTH} characters.` });
      const filter = {
        recipientId: recipientId === 0 ? undefined : recipientId,
        text: text.trim() === '' ? undefined : text,
      };
      const [page, total] = await Promise.all([
        records.list(filter, { before: before === 0 ? undefined : before, limit }),
        records.count(filter),
      ]);
      const presented = await Promise.all(
        page.records.map(async (record) => presentRecord(record, await seals.open(record))),
      );
      return { records: presented, nextBefore: page.nextBefore ?? 0, total: total ?? undefined };
    },
  };
}

function presentRecord({ id, messageId, createdAt, message }: TrackingRecord, trace: TraceRecord): PresentedRecord {
  const { ipAddress, userAgent, referrer, language, browser, operatingSystem, device, location, acceptedLanguages } =
    trace;
  const { content, isRead, isPublic, userId } = message;
  return {
    id,
    messageId,
    createdAt,
    ipAddress,
    userAgent,
    referrer,
    language,
    browser,
    operatingSystem,
    device,
    location,
    ...(acceptedLanguages.length > 0 && { additionalData: { acceptedLanguages } }),
    message: { content, isRead, isPublic, userId },
  };
}
