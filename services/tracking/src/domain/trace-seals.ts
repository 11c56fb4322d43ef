import { toAppError } from '@najwa/common/errors';
import type { Logger } from '@najwa/common/logging';
import { traceOwner, traceToSeal, type DataKeys, type Envelope } from '@najwa/product';
import type { SealedTrace, SenderTrace } from '@najwa/proto/events';
import type { TraceRecord, TrackingRecord } from '../db/records.js';

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

/** Only administrators read traces. */
export class TraceSeals {
  constructor(private readonly options: TraceSealsOptions) {}

  /** Sealed by messages for this service. */
  async openEvent(sealed: SealedTrace, messageId: number): Promise<SenderTrace> {
    return JSON.parse((await this.options.openEnvelope(sealed, traceOwner(messageId))).toString()) as SenderTrace;
  }
  /** @returns undefined after its retention */
  async seal(trace: TraceRecord, messageId: number, createdAt: Date): Promise<string | undefined> {
    return (await this.options.dataKeys.seal(traceToSeal(trace), traceOwner(messageId), createdAt)) ?? undefined;
  }
  /** Empty if the day's key is gone or does not fit. */
  async open({ sealedTrace, messageId }: Pick<TrackingRecord, 'sealedTrace' | 'messageId'>): Promise<TraceRecord> {
    const { dataKeys, logger } = this.options;
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
  }
}
