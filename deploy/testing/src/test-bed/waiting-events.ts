import { namesFor, SUBSCRIBERS } from '@najwa/common/amqp';
import { connect } from 'amqplib';

export async function eventsIn(url: string, prefix: string): Promise<{ waiting: number; parked: number }> {
  const names = namesFor(prefix);
  const model = await connect(url);
  try {
    const channel = await model.createChannel();
    const count = async (queues: string[]): Promise<number> => {
      let messages = 0;
      for (const queue of queues) messages += (await channel.checkQueue(queue)).messageCount;
      return messages;
    };
    return {
      waiting: await count(SUBSCRIBERS.map((name) => names.queue(name))),
      parked: await count(SUBSCRIBERS.map((name) => names.parkedQueue(name))),
    };
  } finally {
    await model.close();
  }
}
