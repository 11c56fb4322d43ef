import { openTrial } from '@najwa/common/amqp';
import { isOlder, isUnreachable, Problem, type Checks } from './checks.js';

/** First version whose quorum queues delay and park events without loss. */
const MIN_VERSION = '3.10';

/** Uses temporary queues. */
export async function checkRabbitmq(url: string, { check, signal }: Checks): Promise<void> {
  let trial: Awaited<ReturnType<typeof openTrial>> | undefined;
  const isThere = await check(
    'RabbitMQ',
    async () => {
      trial = await openTrial({ url });
      const { version } = trial;
      if (isOlder(version, MIN_VERSION)) throw new Problem(`It is version ${version}. Use ${MIN_VERSION} or newer.`);
      return `version ${version}`;
    },
    (error) => explainConnection(error, url),
  );
  try {
    if (isThere)
      await check(
        'RabbitMQ queues',
        async () => {
          await trial?.tryQueues(signal);
          return 'an event was confirmed, delayed, delivered again and parked, in quorum queues';
        },
        ({ message }) =>
          `It has no quorum queues as services need them. Allow them, or use ${MIN_VERSION} or newer. (${message})`,
      );
  } finally {
    await trial?.close();
  }
}

function explainConnection(error: Error, url: string): string | undefined {
  if (isUnreachable(error) || error.message.includes('ETIMEDOUT'))
    return `Nothing answers at ${new URL(url).host}. Start it, or correct AMQP_URL.`;
  if (/ACCESS.REFUSED/.test(error.message)) return 'It refuses the user or the password of AMQP_URL.';
  return undefined;
}
