import { connect } from 'amqplib';
import { namesFor, RETRY_DELAYS_MS, SUBSCRIBERS, type BrokerConfig } from './topology.js';

/** The queues of a system on its broker. */
export interface SystemQueues {
  /** Events that wait in them, parked ones as well, and the consumers of running services. */
  measure(): Promise<{ events: number; consumers: number }>;
  /** Removes every event. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

export async function openQueues({ url, prefix }: Pick<BrokerConfig, 'url' | 'prefix'>): Promise<SystemQueues> {
  const names = namesFor(prefix);
  const model = await connect(url);
  const all = SUBSCRIBERS.flatMap((subscriber) => [
    names.queue(subscriber),
    ...RETRY_DELAYS_MS.map((delayMs) => names.retryQueue(subscriber, delayMs)),
    names.parkedQueue(subscriber),
  ]);

  /** The queues that exist. Asking for another one closes the channel. */
  const check = async () => {
    const found: { name: string; messageCount: number; consumerCount: number }[] = [];
    for (const name of all) {
      const channel = await model.createChannel();
      channel.on('error', () => undefined);
      const queue = await channel.checkQueue(name).catch((error: unknown) => {
        if ((error as { code?: number }).code === 404) return undefined;
        throw error;
      });
      if (queue === undefined) continue;
      found.push({ ...queue, name });
      await channel.close();
    }
    return found;
  };

  return {
    async measure() {
      const found = await check();
      return {
        events: found.reduce((sum, { messageCount }) => sum + messageCount, 0),
        consumers: found.reduce((sum, { consumerCount }) => sum + consumerCount, 0),
      };
    },
    async empty() {
      const channel = await model.createChannel();
      for (const { name } of await check()) await channel.purgeQueue(name);
      await channel.close();
    },
    close: () => model.close(),
  };
}
