import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@najwa/dev-env';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';

let bed: GatewayBed;
afterEach(() => bed.stop());

test('one network that asks for many pictures leaves the painter to others', async () => {
  bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' });
  bed.upstreams.auth.answer((_request, response) => {
    response
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .end(JSON.stringify({ id: 7, username: 'Noura', name: 'Noura', bio: '', avatar: null }));
  });
  const statusOf = async (username: string, address: string): Promise<number> => {
    const answer = await bed.fetch(`/og/${username}.png`, { headers: { 'x-forwarded-for': address } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const flood = Array.from({ length: 60 }, (_, index) => statusOf(`noura${index}`, '192.0.2.1'));
  await eventually(() => expect(bed.upstreams.auth.seen).toHaveLength(60));
  expect(await statusOf('layla', '192.0.2.2')).toBe(200);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200, 429]));
});
