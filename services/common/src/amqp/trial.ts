import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type ConfirmChannel, type GetMessage } from 'amqplib';
import { assertTopology, namesFor, RETRY_DELAYS_MS, type BrokerConfig } from './topology.js';

const CONNECT_TIMEOUT_MS = 5_000;
const ASK_EACH_MS = 50;

/** Any: all have the same arguments. */
const SUBSCRIBER = 'chatbot';

export interface TrialConnection {
  version: string;
  /**
   * Sends an event through temporary queues: confirmed, delayed, redelivered, parked.
   * @throws an error of the broker, or one that names what fails
   */
  tryQueues(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export async function openTrial({ url }: Pick<BrokerConfig, 'url'>): Promise<TrialConnection> {
  const model = await connect(url, { timeout: CONNECT_TIMEOUT_MS });
  model.on('error', () => undefined);
  const { version } = model.connection.serverProperties;
  return {
    version,
    async tryQueues(signal) {
      const names = namesFor(`doctor-${randomUUID().slice(0, 8)}`);
      const channel = await model.createConfirmChannel();
      channel.on('error', () => undefined);
      const main = names.queue(SUBSCRIBER);
      const parked = names.parkedQueue(SUBSCRIBER);
      const [shortest] = RETRY_DELAYS_MS;
      // Deleting a queue while it is declared can break the broker's quorum queues.
      const declared = assertTopology(channel, names, [SUBSCRIBER]);
      try {
        await declared;
        channel.sendToQueue(names.retryQueue(SUBSCRIBER, shortest), Buffer.from('{}'), { persistent: true });
        await channel.waitForConfirms();
        // Since 4.3 a broker counts rejected deliveries, and no longer returned ones (nack).
        channel.reject(await take(channel, main, signal), true);
        const again = await take(channel, main, signal);
        if (!(Number(again.properties.headers?.['x-delivery-count']) > 0))
          throw new Error('Its quorum queues do not count deliveries.');
        channel.reject(again, false);
        channel.ack(await take(channel, parked, signal));
      } finally {
        await declared.catch(() => undefined);
        const cleaner = await model.createChannel();
        for (const queue of [main, parked, ...RETRY_DELAYS_MS.map((each) => names.retryQueue(SUBSCRIBER, each))])
          await cleaner.deleteQueue(queue);
        await cleaner.deleteExchange(names.exchange);
      }
    },
    close: () => model.close(),
  };
}

async function take(channel: ConfirmChannel, queue: string, signal: AbortSignal): Promise<GetMessage> {
  for (;;) {
    const message = await channel.get(queue);
    if (message) return message;
    await delay(ASK_EACH_MS, undefined, { signal });
  }
}
