import { toAppError } from '@najwa/common/errors';
import type { Logger } from '@najwa/common/logging';
import { traceOwner, type DataKeys, type Envelope } from '@najwa/product';
import type { SealedTrace, SenderTrace } from '@najwa/proto/events';
import type { TraceRecord, TrackingRecord } from '../db/records.js';

/** Traces of senders are read only where an administrator asks for them. */
export interface TraceSeals {
  /** Opens a trace that messages sealed for this service. */
  openEvent(sealed: SealedTrace, messageId: number): Promise<SenderTrace>;
  /** @returns undefined if the retention of its day is over */
  seal(trace: TraceRecord, messageId: number, createdAt: Date): Promise<string | undefined>;
  /** Every field is empty if the key of its day is gone, or is not the one that sealed it. */
  open(record: Pick<TrackingRecord, 'sealedTrace' | 'messageId'>): Promise<TraceRecord>;
}

interface TraceSealsOptions {
  dataKeys: DataKeys;
  openEnvelope: (envelope: Envelope, owner: string) => Promise<Buffer>;
  logger: Logger;
}

/** Sealed in blocks, so that the length does not recognise a browser. */
const BLOCK = 512;

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
      const text = JSON.stringify(trace);
      const secret = Buffer.from(text.padEnd(Math.ceil(text.length / BLOCK) * BLOCK));
      return (await dataKeys.seal(secret, traceOwner(messageId), createdAt)) ?? undefined;
    },
    async open({ sealedTrace, messageId }) {
      if (!sealedTrace) return UNKNOWN;
      try {
        const opened = await dataKeys.open(sealedTrace, traceOwner(messageId));
        return opened === null ? UNKNOWN : (JSON.parse(opened.toString()) as TraceRecord);
      } catch (error) {
        if (toAppError(error).code === 'unavailable') throw error;
        // The list is read page after page, so one such record would hide all that are older.
        logger.error({ err: error, messageId }, 'trace of a message not opened');
        return UNKNOWN;
      }
    },
  };
}
