import { toAppError } from '@najwa/common/errors';
import type { Logger } from '@najwa/common/logging';
import { traceOwner, traceToSeal, type DataKeys, type Envelope } from '@najwa/product';
import type { SealedTrace, SenderTrace } from '@najwa/proto/events';
import type { TraceRecord, TrackingRecord } from '../db/records.js';

/** Only administrators read traces. */
export interface TraceSeals {
  /** Sealed by messages for this service. */
  openEvent(sealed: SealedTrace, messageId: number): Promise<SenderTrace>;
  /** @returns undefined after its retention */
  seal(trace: TraceRecord, messageId: number, createdAt: Date): Promise<string | undefined>;
  /** Empty if the day's key is gone or does not fit. */
  open(record: Pick<TrackingRecord, 'sealedTrace' | 'messageId'>): Promise<TraceRecord>;
}

interface TraceSealsOptions {
  dataKeys: DataKeys;
  openEnvelope: (envelope: Envelope, owner: string) => Promise<Buffer>;
  logger: Logger;
}

const UNKNOWN: TraceRecord = {
  ipAddress: '',
  userAgent: '',
  referrer: '',
  browser: '',
  operatingSystem: '',
  device: '',
  location: '',
  language: '',
  acceptedLanguages: [],
};

export function createTraceSeals({ dataKeys, openEnvelope, logger }: TraceSealsOptions): TraceSeals {
  return {
    openEvent: async (sealed, messageId) =>
      JSON.parse((await openEnvelope(sealed, traceOwner(messageId))).toString()) as SenderTrace,
    async seal(trace, messageId, createdAt) {
      return (await dataKeys.seal(traceToSeal(trace), traceOwner(messageId), createdAt)) ?? undefined;
    },
    async open({ sealedTrace, messageId }) {
      if (!sealedTrace) return UNKNOWN;
      try {
        const opened = await dataKeys.open(sealedTrace, traceOwner(messageId));
        return opened === null ? UNKNOWN : (JSON.parse(opened.toString()) as TraceRecord);
      } catch (error) {
        if (toAppError(error).code === 'unavailable') throw error;
        // One unreadable record must not hide all older ones.
        logger.error({ err: error, messageId }, 'trace of a message not opened');
        return UNKNOWN;
      }
    },
  };
}
