import { connect } from 'amqplib';
import { namesFor, RETRY_DELAYS_MS, SUBSCRIBERS, type BrokerConfig } from './topology.js';

export interface SystemQueues {
  measure(): Promise<{ events: number; consumers: number }>;
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

  /** A missing queue closes its channel, so each check has its own. */
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
