import { randomUUID } from 'node:crypto';
import { createEvent, type EventBus, type EventName, type EventPayload } from '@najwa/common/amqp';
import type { Logger } from '@najwa/common/logging';

export interface EventBatcherOptions<Name extends EventName, Item> {
  name: Name;
  payloadOf: (items: Item[]) => EventPayload<Name>;
  bus: Pick<EventBus, 'publish'>;
  logger: Logger;
}

const INTERVAL_MS = 1_000;
/** While the broker is down. Drops the oldest first: best effort. */
const CAPACITY = 20_000;
const ITEMS_PER_EVENT = 500;

export class EventBatcher<Name extends EventName, Item> {
  readonly #options;
  #waiting: Item[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: EventBatcherOptions<Name, Item>) {
    this.#options = options;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length > CAPACITY) this.#waiting = this.#waiting.slice(-CAPACITY);
  }
  start(): void {
    this.#timer = setInterval(() => void this.#flush(), INTERVAL_MS);
  }
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  #flush(): Promise<void> {
    const { logger, name } = this.#options;
    return (this.#sending ??= this.#send()
      .catch((error: unknown) => logger.debug({ err: error, event: name }, 'event waits for the broker'))
      .finally(() => (this.#sending = undefined)));
  }
  async #send(): Promise<void> {
    const { name, payloadOf, bus } = this.#options;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, ITEMS_PER_EVENT);
      const payload = { $case: name, value: payloadOf(batch) } as Parameters<typeof createEvent>[1];
      await bus.publish([createEvent(randomUUID(), payload)]);
      this.#waiting = this.#waiting.slice(batch.length);
    }
  }
}
