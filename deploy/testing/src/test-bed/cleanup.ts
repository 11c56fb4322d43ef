import { namesFor, RETRY_DELAYS_MS, SUBSCRIBERS, type Subscriber } from '@najwa/common/amqp';
import { createLogger } from '@najwa/common/logging';
import { Database } from '@najwa/common/mongo';
import { LEDGER_SUFFIX } from '@najwa/product';
import { connect } from 'amqplib';

export async function deleteTopology(
  url: string,
  prefix: string,
  subscribers: readonly Subscriber[] = SUBSCRIBERS,
): Promise<void> {
  const names = namesFor(prefix);
  const model = await connect(url);
  const channel = await model.createChannel();
  for (const subscriber of subscribers) {
    await channel.deleteQueue(names.queue(subscriber));
    await channel.deleteQueue(names.parkedQueue(subscriber));
    for (const delay of RETRY_DELAYS_MS) await channel.deleteQueue(names.retryQueue(subscriber, delay));
  }
  await channel.deleteExchange(names.exchange);
  await model.close();
}

/** With its ledger. */
export async function dropDatabase(url: string, database: string): Promise<void> {
  const server = new Database(
    { url, database, operationTimeoutMs: 60_000 },
    createLogger({ service: 'cleanup', level: 'silent' }),
  );
  await server.connect();
  await server.connection.dropDatabase();
  await server.connection.useDb(`${database}${LEDGER_SUFFIX}`).dropDatabase();
  await server.close();
}
