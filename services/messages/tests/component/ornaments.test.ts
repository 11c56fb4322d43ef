import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sharedBed, startTestBed, type Bed, type BedAccount, type CallerIdentity } from '@najwa/testing';

interface Shown {
  id: number;
  ornament: string;
}

let bed: Bed;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

async function read<T>(path: string, identity?: CallerIdentity): Promise<T> {
  const { status, body } = await bed.call('messages', 'GET', path, identity && { identity });
  expect(status).toBe(200);
  return body as T;
}

// Threat model: owner-12.
test('sender, owner and visitors see the same ornament of a message', async () => {
  const sender = await bed.newAccount();
  const sent = (await bed.sendMessage(owner.id, {}, { identity: sender.identity })) as unknown as Shown & {
    wayBack: string;
  };
  expect(sent.ornament).toMatch(/^[0-9a-f]{16}$/);
  await bed.call('messages', 'PATCH', `/api/messages/${sent.id}`, {
    identity: owner.identity,
    body: { isPublic: true },
  });
  const views = [
    await read<Shown[]>('/api/messages', owner.identity),
    await read<Shown[]>(`/api/messages?ids=${sent.id}`, owner.identity),
    await read<Shown[]>('/api/messages/sent', sender.identity),
    await read<Shown[]>(`/api/messages/public/${owner.id}`),
    [await read<Shown>(`/api/messages/${sent.id}`)],
    [await read<Shown>(`/api/ways-back${sent.wayBack.slice('/r'.length)}`)],
  ];
  expect(views.map(([first]) => first?.ornament)).toEqual(views.map(() => sent.ornament));
});

// Threat model: owner-12.
test('an ornament reveals nothing of its sender: two messages of one differ like any others', async () => {
  const writer: CallerIdentity = { visitorId: randomUUID() };
  const ornaments: string[] = [];
  for (const identity of [writer, writer, writer, { visitorId: randomUUID() }]) {
    const { ornament } = (await bed.sendMessage(owner.id, { content: 'سلام' }, { identity })) as unknown as Shown;
    ornaments.push(ornament);
  }
  expect(new Set(ornaments).size).toBe(ornaments.length);
  // Neighbouring ids share neither beginning nor end.
  expect(new Set(ornaments.map((bits) => bits.slice(0, 6))).size).toBe(ornaments.length);
  expect(new Set(ornaments.map((bits) => bits.slice(-6))).size).toBe(ornaments.length);
});

// Threat model: owner-12.
test('an ornament reveals no id: another installation draws the same ids differently', async () => {
  const drawn: Map<number, string>[] = [];
  for (const _ of ['here', 'there']) {
    const place = await startTestBed({
      services: ['auth', 'messages'],
      env: { SENDER_KEYS: bed.environment['SENDER_KEYS'] ?? '' },
    });
    const { id: userId } = await place.newAccount();
    const shown: Shown[] = [];
    for (let count = 0; count < 8; count += 1) shown.push((await place.sendMessage(userId)) as unknown as Shown);
    drawn.push(new Map(shown.map(({ id, ornament }) => [id, ornament])));
    await place.stop();
  }
  const [here, there] = drawn;
  expect([...(here?.keys() ?? [])]).toEqual([...(there?.keys() ?? [])]);
  expect([...(here?.values() ?? [])].filter((bits) => [...(there?.values() ?? [])].includes(bits))).toEqual([]);
});
