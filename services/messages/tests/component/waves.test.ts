import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { PROOF_HEADER, solveProof } from '@najwa/product';
import {
  buildMessage,
  startTestBed,
  type Answer,
  type BedAccount,
  type CallerIdentity,
  type TestBed,
} from '@najwa/testing';
import { openReplica } from '../support/replica.js';
import { withDatabase } from '../support/theft.js';

const WAVE = 5;
const DAY_MS = 24 * 60 * 60 * 1000;

let bed: TestBed;
let owner: BedAccount;

beforeAll(async () => {
  bed = await startTestBed({
    services: ['auth', 'messages'],
    // Windows of waves follow the clock: of ten days, hardly one ends within a test.
    env: { MESSAGE_WAVE_LIMIT: `${WAVE}/864000`, MESSAGE_SITE_LIMIT: '2/600', REGISTER_LIMIT: '100/600' },
  });
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

afterAll(() => bed.stop());

let sites = 0;
/** A visitor at an address in a separate /24. */
const newVisitor = (): CallerIdentity => {
  sites += 1;
  return { visitorId: randomUUID(), ip: `198.18.${sites}.1` };
};

const send = (identity: CallerIdentity, proof?: string, content = 'رسالة', more: object = {}): Promise<Answer> =>
  bed.call('messages', 'POST', '/api/messages', {
    identity,
    ...(proof !== undefined && { headers: { [PROOF_HEADER]: proof } }),
    body: { ...buildMessage(owner.id, { content }), ...more },
  });

interface Refusal {
  code: string;
  proof: { challenge: string; bits: number };
}

const stats = async () =>
  (await bed.call('messages', 'GET', '/api/messages/stats', { identity: owner.identity })).body as { wave: unknown };

async function beginWave(): Promise<void> {
  for (let count = 0; count < WAVE; count += 1) expect((await send(newVisitor())).status).toBe(201);
  await bed.eventually(async () => expect(await stats()).toMatchObject({ wave: { count: WAVE, minutes: 14_400 } }));
}

test('a wave shows to the owner, and newcomers solve a small proof for each message', async () => {
  expect(await stats()).toMatchObject({ wave: null });
  await beginWave();
  const visitor = newVisitor();
  const refused = await send(visitor);
  expect(refused).toMatchObject({ status: 429, body: { code: 'proof_required', proof: { bits: 16 } } });
  const proof = solveProof((refused.body as Refusal).proof);
  expect((await send(visitor, proof)).status).toBe(201);
  expect(await send(visitor, proof)).toMatchObject({ status: 429, body: { code: 'proof_required' } });
  expect(await send((await bed.newAccount()).identity)).toMatchObject({ body: { code: 'proof_required' } });
});

// Threat model: sender-12.
test('a wave does not slow established accounts or other inboxes', async () => {
  const { id, identity } = await bed.newAccount();
  await withDatabase(bed, 'auth', (connection) =>
    connection.collection('users').updateOne({ id }, { $set: { createdAt: new Date(Date.now() - 8 * DAY_MS) } }),
  );
  await beginWave();
  expect((await send({ ...identity, ip: '198.19.0.1' })).status).toBe(201);
  owner = await bed.newAccount();
  expect((await send(newVisitor())).status).toBe(201);
});

test('exceeding a limit in a wave needs the larger proof alone', async () => {
  await beginWave();
  const visitor = newVisitor();
  const answers: unknown[] = [];
  let proof: string | undefined;
  for (let count = 0; count < 7; count += 1) {
    const { status, body } = await send(visitor, proof);
    proof = status === 429 ? solveProof((body as Refusal).proof) : undefined;
    answers.push(status === 429 ? (body as Refusal).proof.bits : status);
  }
  expect(answers).toEqual([16, 201, 16, 201, 16, 18, 201]);
});

test('messages set aside raise no wave, and the proofs do not reveal that to their senders', async () => {
  await bed.call('messages', 'PUT', '/api/filters', {
    identity: owner.identity,
    body: { words: ['إعلان'], lists: [] },
  });
  for (let count = 0; count < WAVE; count += 1) expect((await send(newVisitor(), undefined, 'إعلان')).status).toBe(201);
  const isAsked = { status: 429, body: { code: 'proof_required', proof: { bits: 16 } } };
  await bed.eventually(async () => expect(await send(newVisitor(), undefined, 'إعلان')).toMatchObject(isAsked));
  expect(await send(newVisitor())).toMatchObject(isAsked);
  expect(await stats()).toMatchObject({ wave: null });
});

// Threat model: sender-22.
test('a held sender is asked for a proof where any other would be', async () => {
  const context = await openReplica(bed);
  const visitorId = randomUUID();
  const tags = context.senders.allTagsOf({ account: null, visitor: visitorId });
  await context.sanctions.add({ id: 1_000_001, tags, until: new Date(Date.now() + DAY_MS) });
  await context.database.close();
  // Others of the same site have used a part of its limit.
  const { ip = '' } = newVisitor();
  expect((await send({ visitorId: randomUUID(), ip })).status).toBe(201);
  for (const status of [201, 429]) expect((await send({ visitorId, ip })).status).toBe(status);
  for (let count = 2; count < WAVE; count += 1) expect((await send({ ...newVisitor(), visitorId })).status).toBe(201);
  await bed.eventually(async () =>
    expect(await send({ ...newVisitor(), visitorId })).toMatchObject({ status: 429, body: { proof: { bits: 16 } } }),
  );
  expect((await send(newVisitor())).status).toBe(201);
});

// Threat model: owner-22.
test('held messages ask no other sender for a proof, which would reveal them', async () => {
  const context = await openReplica(bed);
  const visitorId = randomUUID();
  const tags = context.senders.allTagsOf({ account: null, visitor: visitorId });
  await context.sanctions.add({ id: 1_000_000, tags, until: new Date(Date.now() + DAY_MS) });
  const { ip = '' } = newVisitor();
  for (const status of [201, 201, 429]) expect((await send({ visitorId, ip })).status).toBe(status);
  for (let count = 2; count < WAVE; count += 1) expect((await send({ ...newVisitor(), visitorId })).status).toBe(201);
  // Neither the limit of the site nor a wave.
  for (let count = 0; count < 2; count += 1) expect((await send({ visitorId: randomUUID(), ip })).status).toBe(201);
  const counts = context.database.connection.collection<{ _id: number }>('message_counts');
  await bed.eventually(async () =>
    expect(await counts.findOne({ _id: owner.id })).toMatchObject({ allArrivals: { current: 2 } }),
  );
  await context.database.close();
});

// Threat model: owner-31.
test('messages that come later ask no other sender for a proof, which would reveal them', async () => {
  const { ip = '' } = newVisitor();
  const sendLater = () => send({ visitorId: randomUUID(), ip }, undefined, 'تصل لاحقًا', { later: true });
  for (const status of [201, 201, 429]) expect((await sendLater()).status).toBe(status);
  expect((await send({ visitorId: randomUUID(), ip })).status).toBe(201);
});
