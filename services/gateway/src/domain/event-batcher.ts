import { randomUUID } from 'node:crypto';
import { createEvent, type EventBus, type EventName, type EventPayload } from '@najwa/common/amqp';
import type { Logger } from '@najwa/common/logging';

export interface EventBatcherOptions<Name extends EventName, Item> {
  name: Name;
  payloadOf: (items: Item[]) => EventPayload<Name>;
  bus: Pick<EventBus, 'publish'>;
  logger: Logger;
  intervalMs?: number;
  /** While the broker is down. Drops the oldest first: best effort. */
  capacity?: number;
}

export interface EventBatcher<Item> {
  add(item: Item): void;
  start(): void;
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;
const CAPACITY = 20_000;
const ITEMS_PER_EVENT = 500;

export function createEventBatcher<Name extends EventName, Item>({
  name,
  payloadOf,
  bus,
  logger,
  intervalMs = INTERVAL_MS,
  capacity = CAPACITY,
}: EventBatcherOptions<Name, Item>): EventBatcher<Item> {
  let waiting: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, ITEMS_PER_EVENT);
      const payload = { $case: name, value: payloadOf(batch) } as Parameters<typeof createEvent>[1];
      await bus.publish([createEvent(randomUUID(), payload)]);
      waiting = waiting.slice(batch.length);
    }
  };

  const flush = (): Promise<void> =>
    (sending ??= send()
      .catch((error: unknown) => logger.debug({ err: error, event: name }, 'event waits for the broker'))
      .finally(() => (sending = undefined)));

  return {
    add(item) {
      waiting.push(item);
      if (waiting.length > capacity) waiting = waiting.slice(-capacity);
    },
    start() {
      timer = setInterval(() => void flush(), intervalMs);
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
