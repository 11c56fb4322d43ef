import type { TrackingRecord as PresentedRecord } from '@najwa/proto/tracking';
import type { TrackingRecord } from '../db/records.js';

export function presentRecord({ id, messageId, createdAt, message, trace }: TrackingRecord): PresentedRecord {
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
