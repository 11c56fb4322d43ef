import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { startPushService } from '@najwa/testing';
import { PushServices } from './push-services.js';

describe('after a rotation of keys', () => {
  const APPLE = { status: 400, body: '{"reason":"VapidPkHashMismatch"}' };

  async function sendTo(...answers: { status: number; body?: string }[]) {
    const push = await startPushService();
    const services = new PushServices({
      keys: [randomBytes(32), randomBytes(32)],
      contact: 'mailto:operator@najwa.example',
      trustedOrigins: [push.origin],
      maxSockets: 1,
    });
    const { subscription, received } = push.newBrowser(...answers);
    const { kind } = await services.send(subscription, { payload: '{}', ttl: 60, topic: 'topic' });
    services.close();
    await push.close();
    const keys = received.map(({ headers }) => headers.authorization?.split('k=')[1]);
    return { kind, isFirst: keys[0] === services.publicKey, keys: new Set(keys).size };
  }

  test.each([{ status: 401 }, { status: 403 }, APPLE])(
    'a browser that subscribed before a rotation is notified with its earlier key (%j)',
    async (answer) => {
      expect(await sendTo(answer)).toEqual({ kind: 'delivered', isFirst: true, keys: 2 });
    },
  );

  test('after a rotation, other faults of a request are not retried with another key', async () => {
    const answer = { status: 400, body: '{"reason":"BadJwtToken"}' };
    expect(await sendTo(answer)).toEqual({ kind: 'refused', isFirst: true, keys: 1 });
  });

  test('a browser whose key is unknown is refused', async () => {
    expect(await sendTo(APPLE, APPLE)).toEqual({ kind: 'refused', isFirst: true, keys: 2 });
  });
});
