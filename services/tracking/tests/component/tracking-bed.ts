import { randomInt, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createEvent } from '@najwa/common/amqp';
import { createGrpcClient, unary } from '@najwa/common/grpc';
import type { Event, MessageState, SenderTrace } from '@najwa/proto/events';
import {
  TrackingServiceClient,
  type ListTrackingRequest,
  type ListTrackingResponse,
  type TrackingRecord,
} from '@najwa/proto/tracking';
import { sharedBed, startTestBed, type Bed } from '@najwa/testing';

export const sender: SenderTrace = {
  ipAddress: '192.0.2.4',
  userAgent: 'Example/1.0',
  referrer: 'https://example.test/',
  language: 'ar',
};

/** Tracking, with events and calls of other services. */
export interface TrackingBed {
  bed: Bed;
  newMessage(changes?: Partial<MessageState>): MessageState;
  publish(...events: (Event | Promise<Event>)[]): Promise<void>;
  /** Of a new message, with the trace that messages sealed. */
  created(message: MessageState, trace?: Partial<SenderTrace>): Promise<Event>;
  /** Waits for the records. */
  track(messages: MessageState[], trace?: Partial<SenderTrace>): Promise<void>;
  list(request?: Partial<ListTrackingRequest>): Promise<ListTrackingResponse>;
  recordOf(message: MessageState): Promise<TrackingRecord[]>;
  /** Waits for the record of one more event. Earlier events are handled in parallel, so most are done. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export const updated = (message: MessageState, changes: Partial<MessageState>): Event =>
  createEvent(randomUUID(), { $case: 'messageUpdated', value: { message: { ...message, ...changes } } });

export const deleted = ({ id, userId, createdAt: sentAt }: MessageState, revision: number): Event =>
  createEvent(randomUUID(), {
    $case: 'messageDeleted',
    value: { messageId: id, userId, revision, imageName: '', audioName: '', sentAt },
  });

export const accountDeleted = (userId: number, occurredAt: Date): Event => ({
  ...createEvent(randomUUID(), { $case: 'accountDeleted', value: { userId, avatarName: '' } }),
  occurredAt,
});

/** For tests of messages of their own. */
export const shareTrackingBed = async (): Promise<TrackingBed> =>
  connectToTracking(await sharedBed(), randomInt(1_000_000_000, 2_000_000_000));

export async function startTrackingBed(env: Record<string, string> = {}): Promise<TrackingBed> {
  const bed = await startTestBed({ services: ['tracking'], env });
  const tracking = connectToTracking(bed);
  const stop = async (): Promise<void> => {
    await tracking.stop();
    await bed.stop();
  };
  return { ...tracking, stop };
}

function connectToTracking(bed: Bed, lastId = 0): TrackingBed {
  const client = createGrpcClient(TrackingServiceClient, bed.grpc('tracking'), bed.callerOf('admin'));
  const listTracking = unary(client.listTracking.bind(client), 60_000);
  const tracking: TrackingBed = {
    bed,
    newMessage(changes = {}) {
      lastId += 1;
      return {
        id: lastId,
        userId: 5,
        content: 'نص',
        isRead: false,
        isPublic: false,
        imageName: '',
        audioName: '',
        createdAt: new Date(),
        revision: 1,
        ...changes,
      };
    },
    async publish(...events) {
      const made: Event[] = [];
      for (const event of events) made.push(await event);
      await bed.publish(made);
    },
    async created(message, trace) {
      const sealedSender = await bed.sealTrace({ ...sender, ...trace }, message.id);
      return createEvent(randomUUID(), { $case: 'messageCreated', value: { message, sealedSender } });
    },
    async track(messages, trace) {
      for (const message of messages) {
        await tracking.publish(tracking.created(message, trace));
        await bed.eventually(async () => expect(await tracking.recordOf(message)).toHaveLength(1));
      }
    },
    list: (request = {}) => listTracking({ before: 0, limit: 100, recipientId: 0, text: '', ...request }),
    recordOf: async ({ id }) => (await tracking.list()).records.filter(({ messageId }) => messageId === id),
    settle: () => tracking.track([tracking.newMessage()]),
    stop() {
      client.close();
      return Promise.resolve();
    },
  };
  return tracking;
}
