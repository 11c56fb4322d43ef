import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  buildMessage,
  readSample,
  sharedBed,
  uniqueAddress,
  type Answer,
  type Bed,
  type BedAccount,
  type CallerIdentity,
} from '@najwa/testing';
import type { Connection } from 'mongoose';
import { messageOf } from '../support/answers.js';
import { openReplica } from '../support/replica.js';
import { sendVoice } from '../support/submissions.js';

let bed: Bed;
let database: Connection;
let owner: BedAccount;

interface Listed {
  id: number;
  content: string;
  reason?: string;
  matched?: string;
}

beforeAll(async () => {
  bed = await sharedBed();
  database = await bed.openDatabase('messages');
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

afterAll(async () => {
  await database.close();
});

const newVisitor = (ip = uniqueAddress()): CallerIdentity => ({ visitorId: randomUUID(), ip });

const call = (method: string, path: string, body?: unknown, { identity } = owner): Promise<Answer> =>
  bed.call('messages', method, path, { identity, ...(body !== undefined && { body }) });

const send = (identity: CallerIdentity, content = 'رسالة', userId = owner.id) =>
  bed.sendMessage(userId, { content }, { identity });

const idsIn = async (path: string, reader = owner): Promise<number[]> =>
  ((await call('GET', path, undefined, reader)).body as Listed[]).map(({ id }) => id);

const inbox = () => idsIn('/api/messages');
const aside = () => idsIn('/api/messages?folder=aside');

async function block(messageId: number): Promise<{ id: number }> {
  const answer = await call('POST', '/api/blocks', { messageId });
  expect(answer.status).toBe(201);
  return answer.body as { id: number };
}

describe('a blocked sender', () => {
  // Threat model: sender-14.
  test('a blocked visitor is recognised on another network too', async () => {
    const { visitorId, ip } = newVisitor();
    const first = await send({ visitorId: visitorId ?? '', ip: ip ?? '' });
    await block(first.id);
    const second = await send({ visitorId: visitorId ?? '', ip: uniqueAddress() });
    expect([await inbox(), await aside()]).toEqual([[first.id], [second.id]]);
  });

  test('a blocked account is recognised, also signed out in the same browser', async () => {
    const { identity } = await bed.newAccount();
    const visitorId = randomUUID();
    const first = await send({ ...identity, visitorId, ip: uniqueAddress() });
    await block(first.id);
    const signedIn = await send({ ...identity, visitorId: randomUUID(), ip: uniqueAddress() });
    const signedOut = await send({ visitorId, ip: uniqueAddress() });
    expect([await inbox(), await aside()]).toEqual([[first.id], [signedOut.id, signedIn.id]]);
  });

  // Threat model: sender-14.
  test('a blocked sender is recognised by network for a while, without a cookie, but not as another account', async () => {
    const ip = '2001:db8:5:7::1';
    const first = await send(newVisitor(ip));
    await block(first.id);
    const cleared = await send(newVisitor('2001:db8:5:7::2'));
    const account = await send({ ...(await bed.newAccount()).identity, visitorId: randomUUID(), ip });
    expect([await inbox(), await aside()]).toEqual([[account.id, first.id], [cleared.id]]);
  });

  // Threat model: sender-4.
  test('a block does not include other accounts behind the same address, without a cookie', async () => {
    const line = { visitorId: randomUUID(), visitorByAddress: true as const, ip: uniqueAddress() };
    const [blocked, neighbour] = [await bed.newAccount(), await bed.newAccount()];
    const first = await send({ ...blocked.identity, ...line });
    await block(first.id);
    const other = await send({ ...neighbour.identity, ...line });
    const again = await send({ ...blocked.identity, ...line, ip: uniqueAddress() });
    expect([await inbox(), await aside()]).toEqual([[other.id, first.id], [again.id]]);
  });

  test('a block does not include a network from which others have written', async () => {
    const ip = uniqueAddress();
    await send(newVisitor(ip));
    const first = await send(newVisitor(ip));
    await block(first.id);
    const colleague = await send(newVisitor(ip));
    expect(await inbox()).toContain(colleague.id);
  });

  test('a block no longer includes a network that turns out to be shared', async () => {
    const ip = uniqueAddress();
    await block((await send(newVisitor(ip))).id);
    await bed.eventually(async () => {
      const { id } = await send(newVisitor(ip));
      expect(await inbox()).toContain(id);
    });
    expect((await aside()).length).toBeGreaterThanOrEqual(4);
  });

  test('a block does not apply to other recipients, whose tags cannot be linked', async () => {
    const other = await bed.newAccount();
    const visitor = newVisitor();
    const { id } = await send(visitor);
    await block(id);
    const elsewhere = await send(visitor, 'رسالة', other.id);
    expect(await idsIn('/api/messages', other)).toEqual([elsewhere.id]);
    const stored = await database
      .collection<{ tags: { visitor: string; networks: string[] } }>('messages')
      .find({ id: { $in: [id, elsewhere.id] } })
      .toArray();
    const tags = stored.flatMap((message) => [message.tags.visitor, ...message.tags.networks]);
    expect(new Set(tags).size).toBe(6);
  });

  test('a blocked sender is neither counted nor shown, in any list, by voice too', async () => {
    const visitor = newVisitor();
    await block((await send(visitor)).id);
    const voice = await sendVoice(bed, owner.id, { identity: visitor, audio: await readSample('speech-0.3s.webm') });
    const { id } = voice.body as { id: number };
    expect((await call('GET', '/api/messages/stats')).body).toMatchObject({ received: 1, unread: 1 });
    for (const filter of ['all', 'unread', 'read'])
      expect(await idsIn(`/api/messages?filter=${filter}`)).not.toContain(id);
    expect(await aside()).toEqual([id]);
    for (const [method, path, body] of [
      ['PATCH', `/api/messages/${id}`, { isPublic: true }],
      ['POST', '/api/replies', { messageId: id, content: 'ردّ' }],
    ] as const)
      expect((await call(method, path, body)).status).toBe(404);
  });

  test('a lifted block lets the sender write again; what was set aside stays', async () => {
    const visitor = newVisitor();
    const first = await send(visitor);
    const { id } = await block(first.id);
    const second = await send(visitor);
    expect((await call('DELETE', `/api/blocks/${id}`)).status).toBe(204);
    const third = await send(visitor);
    expect([await inbox(), await aside()]).toEqual([[third.id, first.id], [second.id]]);
  });
});

describe('a blocked account', () => {
  // Threat model: sender-1.
  test('a blocked account gets the answers, ids, counts and lists of any other', async () => {
    const [blocked, free] = [await bed.newAccount(), await bed.newAccount()];
    await block((await send(blocked.identity)).id);
    await send(free.identity);
    const answers: Answer[] = [];
    for (const { identity } of [blocked, free, blocked])
      answers.push(await bed.call('messages', 'POST', '/api/messages', { identity, body: buildMessage(owner.id) }));
    const [first, second, third] = answers.map(({ status, body, headers }) => {
      const { id, wayBack, ...more } = body as Listed & { wayBack: string };
      expect(wayBack).toMatch(/^\/r\/[\w-]{22}$/);
      // These two are of the message.
      const rest = { ...more, ornament: '', createdAt: '' };
      return { status, id, rest, headers: [...headers.keys()].filter((name) => name !== 'date') };
    });
    expect({ ...first, id: 0 }).toEqual({ ...second, id: 0 });
    expect([(second?.id ?? 0) - (first?.id ?? 0), (third?.id ?? 0) - (second?.id ?? 0)]).toEqual([1, 1]);
    const view = async (account: BedAccount) => ({
      stats: (await call('GET', '/api/messages/stats', undefined, account)).body,
      sent: ((await call('GET', '/api/messages/sent', undefined, account)).body as object[]).map((message) => ({
        ...message,
        id: 0,
        ornament: '',
        createdAt: '',
        senderUserId: 0,
      })),
    });
    const before = await view(blocked);
    await send(free.identity);
    expect(before).toEqual(await view(free));
    // Nor does it show when the folder is emptied, or when its time is over.
    expect((await call('DELETE', '/api/messages?folder=aside')).status).toBe(204);
    expect([await aside(), await view(blocked)]).toEqual([[], before]);
  });

  // Threat model: sender-1.
  test('a blocked account learns nothing from a retry with the same key', async () => {
    const { identity } = await bed.newAccount();
    await block((await send(identity)).id);
    const submit = () =>
      bed.call('messages', 'POST', '/api/messages', {
        identity,
        headers: { 'idempotency-key': `again-${owner.id}` },
        body: buildMessage(owner.id),
      });
    const first = await submit();
    expect((await submit()).body).toEqual(messageOf(first));
    expect(await aside()).toHaveLength(1);
  });
});

describe('what was set aside', () => {
  test('a message set aside shows only that it was blocked, and is restored with its counts', async () => {
    const visitor = newVisitor();
    await block((await send(visitor)).id);
    const { id } = await send(visitor);
    const { body } = await call('GET', '/api/messages?folder=aside');
    expect(body).toMatchObject([{ id, reason: 'blocked' }]);
    expect(Object.keys((body as object[])[0] ?? {})).not.toContain('matched');
    expect((await call('POST', `/api/messages/${id}/restore`)).body).toMatchObject({ id, isRead: false });
    expect([(await inbox())[0], await aside()]).toEqual([id, []]);
    expect((await call('GET', '/api/messages/stats')).body).toMatchObject({ received: 2, unread: 2 });
    expect((await call('PATCH', `/api/messages/${id}`, { isRead: true })).status).toBe(200);
  });

  test('a message set aside and deleted by its recipient stays for its account and way back only', async () => {
    const visitor = newVisitor();
    const account = await bed.newAccount();
    await block((await send(visitor)).id);
    await block((await send(account.identity)).id);
    const [fromVisitor, fromAccount] = [await send(visitor), await send(account.identity)];
    await database.collection('messages').updateOne({ id: fromVisitor.id }, { $unset: { wayBack: 1 } });
    for (const { id } of [fromVisitor, fromAccount])
      expect((await call('DELETE', `/api/messages/${id}`)).status).toBe(204);
    expect(await aside()).toEqual([]);
    expect((await call('POST', `/api/messages/${fromAccount.id}/restore`)).status).toBe(404);
    expect(await idsIn('/api/messages/sent', account)).toContain(fromAccount.id);
    await bed.eventually(async () => {
      const tracked = (await bed.listTracking({ limit: 50 })).map(({ messageId }) => messageId);
      expect(tracked).not.toContain(fromVisitor.id);
    });
    const { id, wayBack } = (await send(visitor)) as unknown as { id: number; wayBack: string };
    expect((await call('DELETE', `/api/messages/${id}`)).status).toBe(204);
    expect(await aside()).toEqual([]);
    expect((await bed.call('messages', 'GET', wayBack.replace('/r/', '/api/ways-back/'))).status).toBe(200);
  });

  // Threat model: visitor-6.
  test('a message set aside is accessible to its recipient alone', async () => {
    const stranger = await bed.newAccount();
    const visitor = newVisitor();
    const { id: blockId } = await block((await send(visitor)).id);
    const { id } = await send(visitor);
    const attempts = [
      await call('POST', `/api/messages/${id}/restore`, undefined, stranger),
      await call('DELETE', `/api/messages/${id}`, undefined, stranger),
      await call('POST', '/api/blocks', { messageId: id }, stranger),
      await call('DELETE', `/api/blocks/${blockId}`, undefined, stranger),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await idsIn('/api/messages?folder=aside', stranger)).toEqual([]);
    expect(await aside()).toEqual([id]);
  });
});

describe('with an inbox of many thousands', () => {
  /** The messages that come from now on are far from those before. */
  async function growInbox(): Promise<void> {
    const counters = database.collection<{ _id: string; value: number }>('counters');
    const counter = await counters.findOneAndUpdate(
      { _id: 'messages' },
      { $inc: { value: 100_000 } },
      { returnDocument: 'after' },
    );
    await database.collection<{ _id: number }>('message_counts').updateOne(
      { _id: owner.id },
      {
        $set: { received: 10_000, receivedIds: { first: 1, last: counter?.value ?? 0 } },
        $setOnInsert: { read: 0, public: 0, sent: 0, applied: [] },
        $inc: { version: 1 },
      },
      { upsert: true },
    );
  }

  test('in a long inbox, a block does not include a network from which others wrote that day', async () => {
    const ip = uniqueAddress();
    await send(newVisitor(ip));
    await growInbox();
    await block((await send(newVisitor(ip))).id);
    const colleague = await send(newVisitor(ip));
    expect(await inbox()).toContain(colleague.id);
  });

  test('in a long inbox, the folder of messages set aside has the oldest and the newest', async () => {
    await call('PUT', '/api/filters', { words: ['إعلان'], lists: [] });
    const sendAd = async () => (await send(newVisitor(), 'إعلان')).id;
    const early = await sendAd();
    await growInbox();
    const [late, latest] = [await sendAd(), await sendAd()];
    expect(await aside()).toEqual([latest, late, early]);
    expect(await idsIn(`/api/messages?folder=aside&limit=1&before=${late}`)).toEqual([early]);
    expect(await idsIn('/api/messages?folder=aside&sort=oldest&limit=2')).toEqual([early, late]);
    expect(await idsIn('/api/messages?folder=aside&q=إعلان')).toEqual([latest, late, early]);
  });
});

describe('the list of blocks', () => {
  // Threat model: owner-14.
  test('a listed block shows its time and message, and nothing about the sender', async () => {
    const account = await bed.newAccount({ name: 'صاحب الرسالة' });
    const { id: messageId } = await send(account.identity, ` ${'كلمة '.repeat(40)}`);
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', '/api/blocks', { messageId })));
    const { body } = await call('GET', '/api/blocks');
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(body).toEqual([
      { id: expect.any(Number), messageId, excerpt: expect.any(String), createdAt: expect.any(String) },
    ]);
    expect([...((body as { excerpt: string }[])[0]?.excerpt ?? '')]).toHaveLength(80);
  });

  test('concurrent blocks are all added', async () => {
    const sent = await Promise.all(Array.from({ length: 10 }, () => send(newVisitor())));
    await Promise.all(sent.map(({ id }) => block(id)));
    const ids = ((await call('GET', '/api/blocks')).body as { messageId: number }[]).map(({ messageId }) => messageId);
    expect(ids.toSorted((a, b) => a - b)).toEqual(sent.map(({ id }) => id).toSorted((a, b) => a - b));
  });
});

// Threat model: backup-6.
test('a backup from before a block does not lift it', async () => {
  const { id: messageId } = await send(newVisitor());
  await block((await send(newVisitor())).id);
  const rules = database.collection<{ _id: number }>('inbox_rules');
  const backup = await rules.findOne({ _id: owner.id });
  await block(messageId);
  const waiting = { _id: owner.id, 'outbox.0': { $exists: true } };
  await bed.eventually(async () => expect(await rules.countDocuments(waiting)).toBe(0));
  await rules.replaceOne({ _id: owner.id }, { ...backup });
  const replica = await openReplica(bed);
  const restore = { _id: randomUUID(), since: new Date(), appliedAt: null };
  const restores = database.collection<{ _id: string }>('restores');
  await restores.insertOne(restore);
  // Without the facts of other tests on the same bed.
  await replica.ledger.applyAfterRestore(async (fact) => {
    if (fact.kind === 'block' && fact.userId === owner.id) await replica.rules.applyNote(fact);
  });
  await restores.deleteOne({ _id: restore._id });
  await replica.ledger.close();
  await replica.database.close();
  const { body } = await call('GET', '/api/blocks');
  expect((body as { messageId: number }[]).map((blocked) => blocked.messageId)).toContain(messageId);
});
