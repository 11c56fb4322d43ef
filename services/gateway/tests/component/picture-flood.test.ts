// Long run: a flood.
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import type { Answer } from '../support/upstream.js';

let bed: GatewayBed;
afterEach(() => bed.stop());

// Threat model: gateway-15.
test.each([
  ['one network', () => '192.0.2.1'],
  ['one site with many networks', (index: number) => `2001:db8:1:${(index % 8) + 1}00::1`],
])('%s that asks for many pictures leaves the painter to others', async (_name, addressOf) => {
  bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' });
  const answering =
    (body: unknown): Answer =>
    (_request, response) => {
      response.setHeader('Content-Type', 'application/json; charset=utf-8').end(JSON.stringify(body));
    };
  bed.upstreams.auth.answer(answering({ id: 7, username: 'Noura', name: 'Noura', bio: '', avatar: null }));
  bed.upstreams.messages.answer(answering([]));
  const statusOf = async (username: string, address: string): Promise<number> => {
    const answer = await bed.fetch(`/og/${username}.png`, { headers: { 'x-forwarded-for': address } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const flood = Array.from({ length: 60 }, (_, index) => statusOf(`noura${index}`, addressOf(index)));
  await eventually(() => expect(bed.upstreams.auth.seen).toHaveLength(60));
  expect(await statusOf('layla', '198.51.100.1')).toBe(200);
  const statuses = new Set(await Promise.all(flood));
  // On a busy machine some wait too long.
  statuses.delete(503);
  expect(statuses).toEqual(new Set([200, 429]));
});
