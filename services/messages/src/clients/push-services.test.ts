import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { startPushService } from '@najwa/dev-env';
import { createPushServices, isPublicAddress, publicLookup } from './push-services.js';

describe('addresses of push services', () => {
  test.each(['142.250.185.74', '34.107.243.93', '2a00:1450:4001:829::200a', '2600:1901:0:524c::'])(
    'may be %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fc00::1',
    'fe80::1',
    '2001:db8::1',
    '2002:a00:1::',
    'name',
  ])('may not be %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([{ all: true }, { all: false }])(
    'of a name are refused for the connection itself (%j)',
    async (options) => {
      const resolved = new Promise((resolve) => publicLookup('localhost', options, resolve));
      await expect(resolved).resolves.toHaveProperty('message', 'The name leads to an address that is not public.');
    },
  );
});

describe('after a rotation of keys', () => {
  const APPLE = { status: 400, body: '{"reason":"VapidPkHashMismatch"}' };

  async function sendTo(...answers: { status: number; body?: string }[]) {
    const push = await startPushService();
    const services = createPushServices({
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
    'a browser that subscribed before is told with its key (%j)',
    async (answer) => {
      expect(await sendTo(answer)).toEqual({ kind: 'delivered', isFirst: true, keys: 2 });
    },
  );

  test('any other fault of a request is not tried with another key', async () => {
    const answer = { status: 400, body: '{"reason":"BadJwtToken"}' };
    expect(await sendTo(answer)).toEqual({ kind: 'refused', isFirst: true, keys: 1 });
  });

  test('a browser that no key is for is refused', async () => {
    expect(await sendTo(APPLE, APPLE)).toEqual({ kind: 'refused', isFirst: true, keys: 2 });
  });
});
