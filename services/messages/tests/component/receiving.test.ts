import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@najwa/common/errors';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import {
  buildMessage,
  readSample,
  sharedBed,
  startGateway,
  type Answer,
  type Bed,
  type BedAccount,
  type BedGateway,
  type CallerIdentity,
} from '@najwa/testing';
import { applyLedger } from '../../src/account/ledger.js';
import { loadConfig } from '../../src/config.js';
import { updateReceiving } from '../../src/safety/receiving.js';
import { create } from '../../src/service.js';
import { photograph, sendVoice } from '../support/submissions.js';
import { messageOf } from '../support/answers.js';
import { openReplica, replacing } from '../support/replica.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let bed: Bed;
let gateway: BedGateway;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
  // Its clock stands still, so only events invalidate its cache.
  gateway = await startGateway(bed, () => 0);
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

afterAll(() => gateway.stop());

const choose = async (body: object): Promise<Answer> => {
  const answer = await bed.call('messages', 'PATCH', '/api/users/receiving', { identity: owner.identity, body });
  expect(answer.status).toBe(200);
  return answer;
};

const send = (identity: CallerIdentity = {}) =>
  bed.call('messages', 'POST', '/api/messages', { identity, body: buildMessage(owner.id) });

const outcome = ({ status, body }: Answer): unknown[] => [status, (body as { code?: string }).code];

/** The choice counts from the next message on. */
const expectRefused = async (code: string, identity?: CallerIdentity) =>
  expect(outcome(await send(identity))).toEqual([403, code]);

async function accountOfAge(days: number): Promise<BedAccount> {
  const account = await bed.newAccount();
  const database = await bed.openDatabase('auth');
  const createdAt = new Date(Date.now() - days * DAY_MS);
  await database.collection('users').updateOne({ id: account.id }, { $set: { createdAt } });
  await database.close();
  return account;
}

describe('an account receives messages', () => {
  test('an account receives from everyone by default', async () => {
    const { body } = await bed.call('auth', 'GET', '/api/users/receiving', { identity: owner.identity });
    expect(body).toEqual({
      from: 'everyone',
      minimumDays: 7,
      notice: '',
      presence: 'coarse',
      readReceipts: true,
      conversations: true,
    });
    expect([(await send()).status, (await send((await bed.newAccount()).identity)).status]).toEqual([201, 201]);
  });

  test('a paused account receives neither text nor picture nor voice until it resumes', async () => {
    await choose({ from: 'nobody' });
    await expectRefused('receiving_paused');
    const picture = await bed.call('messages', 'POST', '/api/messages', {
      body: buildMessage(owner.id, { imageUrl: await photograph() }),
    });
    const audio = await readSample('speech-0.3s.webm');
    const voices = [
      await sendVoice(bed, owner.id, { audio, order: 'audio first' }),
      await sendVoice(bed, owner.id, { audio, order: 'audio last' }),
    ];
    for (const answer of [picture, ...voices]) expect(outcome(answer)).toEqual([403, 'receiving_paused']);
    expect((await bed.call('messages', 'GET', '/api/messages', { identity: owner.identity })).body).toEqual([]);
    await choose({ from: 'everyone' });
    expect((await send()).status).toBe(201);
  });

  test("every replica applies the owner's latest receiving rule, while many write", async () => {
    const replica = await create(loadConfig(bed.environmentOf('messages')));
    await replica.start();
    const url = `http://127.0.0.1:${replica.ports().http}/api/messages`;
    const sendThere = async (): Promise<number> => {
      const token = await bed.identityToken('messages', { visitorId: randomUUID() });
      const headers = { 'content-type': 'application/json', [IDENTITY_HEADER]: token };
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(buildMessage(owner.id)) })).status;
    };
    let isWriting = true;
    const writers = Array.from({ length: 2 }, async () => {
      while (isWriting) await Promise.all([send({ visitorId: randomUUID() }), sendThere()]);
    });
    try {
      for (let round = 0; round < 4; round += 1) {
        await choose({ from: 'nobody' });
        expect([(await send()).status, await sendThere()]).toEqual([403, 403]);
        await choose({ from: 'everyone' });
        expect([(await send()).status, await sendThere()]).toEqual([201, 201]);
      }
    } finally {
      isWriting = false;
      await Promise.all(writers);
      await replica.stop();
    }
  });

  test('the receiving rule is that of auth if a change failed half-way', async () => {
    await choose({ from: 'everyone' });
    const context = await openReplica(bed);
    const setReceiving = () => Promise.reject(new AppError({ code: 'unavailable', message: 'The database is away.' }));
    const failing = { ...context, rules: replacing(context.rules, { setReceiving }) };
    const changeHalfWay = (from: 'nobody' | 'everyone') =>
      expect(updateReceiving(failing, owner.id, { from })).rejects.toMatchObject({ code: 'unavailable' });
    await changeHalfWay('nobody');
    await bed.eventually(() => expectRefused('receiving_paused'));
    await changeHalfWay('everyone');
    await bed.eventually(async () => expect((await send()).status).toBe(201));
    context.auth.close();
    await context.database.close();
  });

  test('the receiving rule is that of auth if a failed change overlapped another one', async () => {
    const context = await openReplica(bed);
    const setReceiving = () => Promise.reject(new AppError({ code: 'unavailable', message: 'The database is away.' }));
    const failing = { ...context, rules: replacing(context.rules, { setReceiving }) };
    let isFirst = true;
    const findUsers = async (ids: number[]) => {
      const found = await context.auth.findUsers(ids);
      if (isFirst) {
        isFirst = false;
        await expect(updateReceiving(failing, owner.id, { from: 'nobody' })).rejects.toThrow('away');
      }
      return found;
    };
    const auth = replacing(context.auth, { findUsers });
    await updateReceiving({ ...context, auth }, owner.id, { from: 'accounts' });
    await bed.eventually(() => expectRefused('receiving_paused'));
    context.auth.close();
    await context.database.close();
  });

  test('the receiving rule is that of auth after a restore', async () => {
    await choose({ from: 'nobody' });
    const context = await openReplica(bed);
    // As the backup had it, after auth has repeated the change.
    await context.rules.setReceiving(owner.id, () => Promise.resolve({ from: 'everyone', minimumDays: 7 }));
    expect((await send()).status).toBe(201);
    // After what the ledger has of other tests.
    const since = new Date(Date.now() + DAY_MS);
    await context.database.connection.collection('restores').insertOne({ since, appliedAt: null });
    await applyLedger(context);
    await expectRefused('receiving_paused');
    context.auth.close();
    await context.ledger.close();
    await context.database.close();
  });

  test('an account may receive from accounts only', async () => {
    await choose({ from: 'accounts' });
    await expectRefused('account_required');
    expect((await send((await bed.newAccount()).identity)).status).toBe(201);
  });

  test('an account may receive from accounts of a minimum age, which the refusal names', async () => {
    const [young, old] = [await accountOfAge(29), await accountOfAge(31)];
    await choose({ from: 'established', minimumDays: 30 });
    await expectRefused('account_required');
    const refused = await send(young.identity);
    expect([refused.status, refused.body]).toMatchObject([403, { code: 'account_too_new', minimumDays: 30 }]);
    expect((await send(old.identity)).status).toBe(201);
  });

  test('a paused account accepts retries of messages accepted before', async () => {
    const submit = () =>
      bed.call('messages', 'POST', '/api/messages', {
        headers: { 'idempotency-key': `before-${owner.id}` },
        body: buildMessage(owner.id),
      });
    const first = await submit();
    await choose({ from: 'nobody' });
    await expectRefused('receiving_paused');
    expect((await submit()).body).toEqual(messageOf(first));
  });
});

describe('the public profile', () => {
  const profile = async (): Promise<unknown> => (await fetch(`${gateway.origin}/api/users/${owner.username}`)).json();

  test('the public profile shows a changed receiving rule, which the gateway learns of', async () => {
    for (const from of ['nobody', 'accounts', 'everyone'] as const) {
      await profile();
      const notice = `كلمة ${from}`;
      await choose({ from, notice });
      await bed.eventually(async () =>
        expect(await profile()).toMatchObject({ receiving: { from, notice, minimumDays: 7 } }),
      );
    }
  });

  test('the public receiving rule is apart from the own settings, which need a session', async () => {
    const answer = await fetch(`${gateway.origin}/api/users/receiving`);
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'not_signed_in' }]);
  });
});
