// Long run: limits that are used up one after another.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppError } from '@najwa/common/errors';
import { createGrpcClient, unary } from '@najwa/common/grpc';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import { PROOF_HEADER, solveProof } from '@najwa/product';
import { LIMITS } from '@najwa/proto/http';
import { MessagesServiceClient } from '@najwa/proto/messages';
import {
  buildMessage,
  readSample,
  requiredVariable,
  startTestBed,
  type Answer,
  type CallerIdentity,
  type TestBed,
} from '@najwa/testing';
import { deliverDue } from '../../src/moderation/decisions.js';
import { openReplica } from '../support/replica.js';
import { sendVoice } from '../support/submissions.js';

let bed: TestBed;
let owner: number;

beforeAll(async () => {
  bed = await startTestBed({
    services: ['auth', 'media', 'messages'],
    env: {
      MESSAGE_SENDER_LIMIT: '3/600',
      MESSAGE_RETRY_LIMIT: '2/600',
      VOICE_LIMIT: '2/600',
      WAY_BACK_LIMIT: '3/600',
      PUSH_LIMIT: '2/600',
      MESSAGE_RECIPIENT_LIMIT: '4/600',
      MESSAGE_SITE_LIMIT: '2/600',
      MESSAGE_PROVEN_RECIPIENT_LIMIT: '3/600',
      MESSAGE_PROVEN_SITE_LIMIT: '2/600',
      REPORT_LIMIT: '3/600',
      REPORT_VISITOR_LIMIT: '2/600',
      REGISTER_LIMIT: '100/600',
      MESSAGE_CHANGE_LIMIT: '3/600',
      BULK_LIMIT: '3/600',
      FILTER_LIMIT: '2/600',
      SEARCH_LIMIT: '2/600',
      STATS_LIMIT: '2/600',
      FFMPEG_BIN: requiredVariable('FFMPEG_BIN'),
    },
  });
});

beforeEach(async () => {
  owner = (await bed.newAccount()).id;
});

afterAll(() => bed.stop());

let sites = 0;

/** An address in a separate /24. */
const newSite = (): string => {
  sites += 1;
  return `198.${18 + Math.floor(sites / 256)}.${sites % 256}.1`;
};

const neighbourOf = (ip: string, host: number): string => ip.replace(/\d+$/, String(host));

interface SendOptions {
  proof?: string;
  key?: string;
  body?: unknown;
}

const send = (ip: string, { proof, key, body = buildMessage(owner) }: SendOptions = {}): Promise<Answer> =>
  bed.call('messages', 'POST', '/api/messages', {
    identity: { ip, visitorId: randomUUID() },
    headers: {
      ...(proof !== undefined && { [PROOF_HEADER]: proof }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body,
  });

const codeOf = ({ status, body }: Answer): unknown => (status === 201 ? 201 : (body as { code: string }).code);

/** Sends from different sites until the inbox asks for a proof. */
async function fillInbox(): Promise<void> {
  for (let count = 0; count < 4; count += 1) expect((await send(newSite())).status).toBe(201);
}

async function sendWithProof(ip: string): Promise<Answer> {
  const { body } = await send(ip);
  const { proof } = body as { proof: { challenge: string; bits: number } };
  return send(ip, { proof: solveProof(proof) });
}

const AUDIO_PART = '--part\r\ncontent-disposition: form-data; name="audio"; filename="a.webm"\r\n\r\nthe first bytes';

/** Sends the beginning of a voice message and waits for the answer without sending the rest. */
async function beginUpload(ip: string, beginning: string) {
  const token = await bed.identityToken('messages', { ip });
  const upload = httpRequest(`${bed.url('messages')}/api/audio/upload`, {
    method: 'POST',
    headers: {
      [IDENTITY_HEADER]: token,
      'content-type': 'multipart/form-data; boundary=part',
      'content-length': '100000',
    },
  });
  upload.write(beginning);
  const [answer] = (await once(upload, 'response')) as [IncomingMessage];
  const body = await text(answer);
  upload.destroy();
  return { statusCode: answer.statusCode, connection: answer.headers.connection, body };
}

describe('the limits of a recipient', () => {
  // Threat model: sender-12.
  test('the limit of an inbox leaves room for others when one site has used up its share', async () => {
    const site = newSite();
    const answers = [];
    for (let host = 1; host <= 4; host += 1) answers.push(codeOf(await send(neighbourOf(site, host))));
    expect(answers).toEqual([201, 201, 'proof_required', 'proof_required']);
    expect([codeOf(await send(newSite())), codeOf(await send(newSite()))]).toEqual([201, 201]);
  });

  // Threat model: sender-12.
  test('an exceeded limit of an inbox requires a proof of work, which admits one message', async () => {
    await fillInbox();
    const ip = newSite();
    const refused = await send(ip);
    expect(refused).toMatchObject({ status: 429, body: { code: 'proof_required' } });
    const proof = solveProof((refused.body as { proof: { challenge: string; bits: number } }).proof);
    expect(codeOf(await send(newSite(), { proof }))).toBe('proof_required');
    expect(codeOf(await send(ip, { proof }))).toBe(201);
    expect(codeOf(await send(ip, { proof }))).toBe('proof_required');
  });

  test('the limit of an inbox has an upper bound that no proof passes, shared by sites', async () => {
    await fillInbox();
    const site = newSite();
    const answers = [];
    for (let host = 1; host <= 3; host += 1) answers.push(codeOf(await sendWithProof(neighbourOf(site, host))));
    for (let count = 0; count < 2; count += 1) answers.push(codeOf(await sendWithProof(newSite())));
    expect(answers).toEqual([201, 201, 'too_many_requests', 201, 'too_many_requests']);
  });

  // Threat model: owner-31.
  test('the limit of an inbox counts what comes later when it comes, and has one of its own before', async () => {
    const later = { body: { ...buildMessage(owner), later: true } };
    for (let count = 0; count < 4; count += 1) expect(codeOf(await send(newSite(), later))).toBe(201);
    expect(codeOf(await send(newSite(), later))).toBe('proof_required');
    expect(codeOf(await send(newSite()))).toBe(201);
    const context = await openReplica(bed);
    await deliverDue(context, new Date(Date.now() + LIMITS.laterHours * 60 * 60_000 + 1));
    context.deliveries.stop();
    await context.database.close();
    expect(codeOf(await send(newSite()))).toBe('proof_required');
  });
});

test('a full inbox asks for a proof before the recording of a voice message arrives', async () => {
  await fillInbox();
  const field = `--part\r\ncontent-disposition: form-data; name="userId"\r\n\r\n${owner}\r\n`;
  const { statusCode, body } = await beginUpload(newSite(), `${field}${AUDIO_PART}`);
  expect(statusCode).toBe(429);
  expect(JSON.parse(body)).toMatchObject({ code: 'proof_required', proof: { bits: expect.any(Number) } });
});

describe('the limits of a sender', () => {
  test('the limit of a sender applies before the body is read', async () => {
    const ip = newSite();
    for (const body of [{}, [1], { content: 'x'.repeat(100_000) }])
      expect((await send(ip, { body })).status).not.toBe(429);
    expect(codeOf(await send(ip))).toBe('too_many_requests');
  });

  // Threat model: sender-13.
  test('the limit of a sender counts all addresses of an IPv6 /64 as one', async () => {
    const codes = [];
    for (let host = 1; host <= 4; host += 1) {
      owner = (await bed.newAccount()).id;
      codes.push(codeOf(await send(`2001:db8:77:1::${host}`)));
    }
    expect(codes).toEqual([201, 201, 201, 'too_many_requests']);
  });

  test('the limit of a sender does not count retries, which have their own', async () => {
    const identity = { ip: newSite(), visitorId: randomUUID() };
    const headers = { 'idempotency-key': randomUUID() };
    const codes = [];
    for (let count = 0; count < 4; count += 1)
      codes.push(
        codeOf(await bed.call('messages', 'POST', '/api/messages', { identity, headers, body: buildMessage(owner) })),
      );
    expect(codes).toEqual([201, 201, 201, 'too_many_requests']);
    expect((await send(identity.ip)).status).toBe(201);
  });

  test('the limit of a sender is lower for voice messages, with Retry-After', async () => {
    const identity = { ip: newSite(), visitorId: randomUUID() };
    const audio = await readSample('speech-0.3s.webm');
    const upload = (key: string) => sendVoice(bed, owner, { identity, audio, headers: { 'idempotency-key': key } });
    const codes = [];
    for (const key of ['a', 'a', 'b', 'c']) codes.push(codeOf(await upload(key)));
    expect(codes).toEqual([201, 201, 201, 'too_many_requests']);
    expect(Number((await upload('c')).headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('the limits of reports', () => {
  const report = (identity: CallerIdentity): Promise<Answer> =>
    bed.call('messages', 'POST', '/api/reports', { identity, body: { messageId: 1_000_000, reason: 'spam' } });
  const codesOf = async (senders: CallerIdentity[]) => {
    const codes = [];
    for (const identity of senders) codes.push(codeOf(await report(identity)));
    return codes;
  };
  const missing = 'message_not_found';

  test('the limit of reports counts those of an account on any network, with Retry-After', async () => {
    const anywhere = Array.from({ length: 4 }, () => ({ userId: owner, ip: newSite() }));
    expect(await codesOf(anywhere)).toEqual([missing, missing, missing, 'too_many_requests']);
    expect(Number((await report({ userId: owner })).headers.get('retry-after'))).toBeGreaterThan(0);
  });

  // Threat model: sender-13.
  test("the limit of reports is lower for a network's visitors, regardless of cookies, and spares its accounts", async () => {
    const ip = newSite();
    const visitors = Array.from({ length: 3 }, () => ({ ip, visitorId: randomUUID() }));
    expect(await codesOf(visitors)).toEqual([missing, missing, 'too_many_requests']);
    expect(await codesOf([{ ip, userId: owner }, { ip: newSite() }])).toEqual([missing, missing]);
  });
});

describe('the limits of an account', () => {
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    bed.call('messages', method, path, { identity: { userId: owner }, ...(body !== undefined && { body }) });
  const statusesOf = async (...calls: Parameters<typeof call>[]): Promise<number[]> => {
    const statuses = [];
    for (const each of calls) statuses.push((await call(...each)).status);
    return statuses;
  };

  test('the limit of an account counts replies and changes of messages together', async () => {
    const reply: Parameters<typeof call> = ['POST', '/api/replies', { messageId: 1, content: 'نعم' }];
    const read: Parameters<typeof call> = ['PATCH', '/api/messages/1', { isRead: true }];
    expect(await statusesOf(reply, read, ['DELETE', '/api/messages/1'], reply, read)).toEqual([
      404, 404, 404, 429, 429,
    ]);
  });

  test('the limit of an account counts each message of a bulk change', async () => {
    const change = (...ids: number[]): Parameters<typeof call> => [
      'POST',
      '/api/messages/bulk',
      { ids, action: 'read' },
    ];
    expect(await statusesOf(change(1, 2), change(3, 4), change(5))).toEqual([200, 429, 429]);
  });

  test('the limit of an account counts new filters, but neither removed nor existing ones', async () => {
    const filter = (...words: string[]): Parameters<typeof call> => ['PUT', '/api/filters', { words, lists: [] }];
    expect(await statusesOf(filter('سر'), filter('سر', 'هدية'), filter('سر', 'هدية'), filter('سر'))).toEqual([
      200, 200, 200, 200,
    ]);
    expect(await statusesOf(filter('سر', 'موعد'), filter())).toEqual([429, 200]);
  });

  test('the limit of an account counts readings of its counts', async () => {
    const stats: Parameters<typeof call> = ['GET', '/api/messages/stats'];
    expect(await statusesOf(stats, stats, stats)).toEqual([200, 200, 429]);
  });

  test('the limit of an account counts searches and lists that scan further than they show', async () => {
    const search: Parameters<typeof call> = ['GET', `/api/messages?q=${encodeURIComponent('بحر')}`];
    const sent: Parameters<typeof call> = ['GET', '/api/messages/sent?filter=read'];
    expect(await statusesOf(search, sent, search, sent)).toEqual([200, 200, 429, 429]);
    const months: Parameters<typeof call> = ['GET', '/api/messages/months'];
    const then: Parameters<typeof call> = ['GET', '/api/messages?start=2026-10-01T00:00:00Z'];
    expect(await statusesOf(months, then)).toEqual([429, 429]);
    expect(await statusesOf(['GET', '/api/messages'], ['GET', '/api/messages/sent'])).toEqual([200, 200]);
  });
});

test('a stalled voice upload is refused', async () => {
  const { statusCode, connection } = await beginUpload(newSite(), AUDIO_PART);
  expect([statusCode, connection]).toEqual([408, 'close']);
});

/** Follows a way back as the gateway does for an event stream. @returns the code of its error */
async function followWayBack(token: string, network: string): Promise<string | undefined> {
  const client = createGrpcClient(MessagesServiceClient, bed.grpc('messages'), bed.callerOf('gateway'));
  try {
    await unary(client.followWayBack.bind(client))({ token, network });
    return undefined;
  } catch (error) {
    return (error as AppError).code;
  } finally {
    client.close();
  }
}

const newToken = async (): Promise<string> => {
  const { wayBack } = (await send(newSite())).body as { wayBack: string };
  return wayBack.replace('/r/', '');
};

const guess = (): string => `/api/ways-back/${randomBytes(16).toString('base64url')}`;

const attempt = async (ip: string, method: string, path: string): Promise<number> =>
  (await bed.call('messages', method, path, { identity: { ip, visitorId: randomUUID() } })).status;

// Threat model: sender-11.
test('a network can try only so many ways back, with any call, while others open theirs', async () => {
  const token = await newToken();
  const ip = newSite();
  expect([await attempt(ip, 'GET', guess()), await attempt(ip, 'DELETE', guess())]).toEqual([404, 404]);
  expect(await followWayBack(randomBytes(16).toString('base64url'), ip)).toBe('message_not_found');
  expect(await attempt(ip, 'GET', guess())).toBe(429);
  const own = `/api/ways-back/${token}`;
  const statuses = [];
  for (const [method, path] of [
    ['GET', own],
    ['DELETE', own],
    ['GET', `${own}/image`],
  ] as const)
    statuses.push(await attempt(ip, method, path));
  expect(statuses).toEqual([429, 429, 429]);
  expect(await followWayBack(token, ip)).toBe('too_many_requests');
  const other = newSite();
  expect([await attempt(other, 'GET', own), await followWayBack(token, other)]).toEqual([200, undefined]);
});

describe('opening a way back', () => {
  // Threat model: owner-28.
  test('opening a way back uses up nothing that a neighbour could notice', async () => {
    const token = await newToken();
    const ip = newSite();
    const opened = [await attempt(ip, 'GET', `/api/ways-back/${token}`), await followWayBack(token, ip)];
    const unsubscribed = await attempt(ip, 'DELETE', `/api/push/subscriptions/unknown?wayBack=${token}`);
    expect([...opened, unsubscribed]).toEqual([200, undefined, 404]);
    const missed = [];
    for (let count = 0; count < 4; count += 1) missed.push(await attempt(ip, 'GET', guess()));
    expect(missed).toEqual([404, 404, 404, 429]);
  });

  test('opening a way back is limited per token, from any network', async () => {
    const [token, other] = [await newToken(), await newToken()];
    const statuses = [];
    for (let count = 0; count < 4; count += 1)
      statuses.push(await attempt(newSite(), 'GET', `/api/ways-back/${token}`));
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await attempt(newSite(), 'GET', `/api/ways-back/${other}`)).toBe(200);
  });

  test('opening a way back changes only so many subscriptions', async () => {
    const [token, other] = [await newToken(), await newToken()];
    const remove = (of: string) => attempt(newSite(), 'DELETE', `/api/push/subscriptions/unknown?wayBack=${of}`);
    expect([await remove(token), await remove(token), await remove(token), await remove(other)]).toEqual([
      404, 404, 429, 404,
    ]);
  });
});
