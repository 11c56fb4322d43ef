import { generateKeyPairSync } from 'node:crypto';
import { constants, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import {
  MediaServiceClient,
  MediaServiceService,
  type FollowMessageRequest,
  type RemoveImageRequest,
  type GetImageRequest,
  type GetImageResponse,
  type MorphVoiceRequest,
  type MorphVoiceResponse,
  type StoreImageRequest,
  type StoreImageResponse,
} from '@najwa/proto/media';
import { SignJWT } from 'jose';
import { AppError } from '../errors/errors.js';
import { createLogger } from '../logging/logger.js';
import { Metrics } from '../metrics/metrics.js';
import { clientStream, createGrpcClient, unary, type GrpcClientOptions } from './client.js';
import { GrpcServer, type UnaryHandlers } from './server.js';
import { createCallerVerifier, createServiceCaller, type ServiceCaller } from './service-token.js';

const MEDIA = 'najwa.media.v1.MediaService';
/** A busy machine may need longer than the default. */
const PATIENCE_MS = 60_000;

const keys = { chatbot: generateKeyPairSync('ed25519'), messages: generateKeyPairSync('ed25519') };

let server: GrpcServer;
let port: number;
let calls: number;
let answer: () => Promise<GetImageResponse>;
let clients: MediaServiceClient[];

const unused = (): never => {
  throw new Error('Unexpected call.');
};

type MediaHandlers = UnaryHandlers<typeof MediaServiceService>;

function createMediaServer(handlers: Partial<MediaHandlers>, maxConnectionAgeMs?: number): GrpcServer {
  const created = new GrpcServer({
    host: '127.0.0.1',
    port: 0,
    logger: createLogger({ service: 'media', level: 'silent' }),
    metrics: new Metrics('media'),
    callers: createCallerVerifier(
      new Map([
        ['chatbot', [keys.chatbot.publicKey]],
        ['messages', [keys.messages.publicKey]],
      ]),
    ),
    ...(maxConnectionAgeMs !== undefined && { maxConnectionAgeMs }),
  });
  created.add(MediaServiceService, {
    getImage: unused,
    getSound: unused,
    storeImage: unused,
    removeImage: unused,
    storeArchivePart: unused,
    getArchivePart: unused,
    removeArchive: unused,
    morphVoice: unused,
    followMessage: unused,
    ...handlers,
  });
  return created;
}

beforeEach(async () => {
  calls = 0;
  clients = [];
  answer = () => Promise.resolve({ content: Buffer.from('picture'), contentType: 'image/webp' });
  server = createMediaServer({
    getImage: () => {
      calls += 1;
      return answer();
    },
  });
  port = await server.listen();
});

afterEach(async () => {
  for (const client of clients) client.close();
  await server.close();
});

function clientOf(
  caller: ServiceCaller,
  address = `127.0.0.1:${port}`,
  options?: GrpcClientOptions,
): MediaServiceClient {
  const client = createGrpcClient(MediaServiceClient, address, caller, options);
  clients.push(client);
  return client;
}

const getImageAs = (caller: ServiceCaller, deadlineMs = PATIENCE_MS): Promise<GetImageResponse> => {
  const client = clientOf(caller);
  return unary<GetImageRequest, GetImageResponse>(client.getImage.bind(client), deadlineMs)({ name: 'x' });
};

const getImage = (): Promise<GetImageResponse> => getImageAs(createServiceCaller('chatbot', keys.chatbot.privateKey));

// Threat model: else-2.
test('a server listens on its host alone', async () => {
  const outcome = (host: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect({ host, port });
      socket.once('connect', () => {
        socket.destroy();
        resolve('connected');
      });
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
  expect([await outcome('127.0.0.1'), await outcome('127.0.0.2')]).toEqual(['connected', 'ECONNREFUSED']);
});

test('a server that closes cuts off a call that does not end in time', async () => {
  const begun = new Promise<void>((resolve) => {
    answer = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
  const call = getImageAs(createServiceCaller('chatbot', keys.chatbot.privateKey));
  const outcome = call.catch((error: unknown) => error);
  await begun;
  await server.close(10);
  expect(await outcome).toMatchObject({ code: 'unavailable', cause: { code: status.CANCELLED } });
});

describe('balancing', () => {
  // Threat model: grpc-8.
  test('takes the servers of a name in turn, and goes on with those that stay', async () => {
    let callsOfSecond = 0;
    const second = createMediaServer({
      getImage: () => {
        callsOfSecond += 1;
        return answer();
      },
    });
    const client = clientOf(
      createServiceCaller('chatbot', keys.chatbot.privateKey),
      `ipv4:127.0.0.1:${port},127.0.0.1:${await second.listen()}`,
    );
    const call = unary<GetImageRequest, GetImageResponse>(client.getImage.bind(client));
    // Connecting to the second may take longer than the first calls.
    while (callsOfSecond === 0) await call({ name: 'x' });
    [calls, callsOfSecond] = [0, 0];
    for (let turn = 0; turn < 10; turn++) await call({ name: 'x' });
    expect([calls, callsOfSecond]).toEqual([5, 5]);

    await second.close();
    for (let turn = 0; turn < 10; turn++) await call({ name: 'x' });
    expect([calls, callsOfSecond]).toEqual([15, 5]);
  });
});

/** Serves HTTP/2 and treats every call the same. */
const startServer = async (onCall: (stream: ServerHttp2Stream) => void): Promise<Http2Server> => {
  const created = createServer().on('stream', (stream) => {
    stream.on('error', () => undefined);
    onCall(stream);
  });
  created.on('session', (session) => session.on('error', () => undefined));
  await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
  return created;
};

describe('a connection that its server closes because of its age', () => {
  const AGE_MS = 100;
  const messages = createServiceCaller('messages', keys.messages.privateKey);
  const PIECE = Buffer.alloc(1_000);

  /** A piece every 25 ms for half a second, as from a slow line. */
  async function sendSlowly(client: MediaServiceClient): Promise<MorphVoiceResponse> {
    const stream = clientStream<MorphVoiceRequest, MorphVoiceResponse>(client.morphVoice.bind(client), PATIENCE_MS)();
    for (let piece = 0; piece < 20; piece++) {
      await stream.write({ part: { $case: 'recording', value: PIECE } });
      await wait(25);
    }
    return stream.finish();
  }

  test('carries a stream to its end', async () => {
    let streams = 0;
    const aging = createMediaServer(
      {
        async morphVoice(requests) {
          streams += 1;
          let duration = 0;
          for await (const { part } of requests) duration += part?.$case === 'recording' ? part.value.length : 0;
          return { name: 'a', contentType: 'audio/mp4', duration, peaks: [] };
        },
      },
      AGE_MS,
    );
    const address = `127.0.0.1:${await aging.listen()}`;
    const client = clientOf(messages, address, { isForStreams: true, keepAliveMs: 20 });
    expect(await sendSlowly(client)).toMatchObject({ duration: 20 * PIECE.length });
    expect(streams).toBe(1);
    client.close();
    await aging.close();
  });

  test('a call of any size that a closing connection ends is retried', async () => {
    let tries = 0;
    const aging = createMediaServer(
      {
        async storeImage({ content }) {
          tries += 1;
          if (tries === 1) await wait(3_000);
          return { name: String(content.length), width: 1, height: 1 };
        },
      },
      // Enough for a retry on a busy machine.
      1_000,
    );
    const client = clientOf(messages, `127.0.0.1:${await aging.listen()}`, { keepAliveMs: 100 });
    const storeImage = unary<StoreImageRequest, StoreImageResponse>(client.storeImage.bind(client), PATIENCE_MS);
    const content = Buffer.alloc(5 * 1024 * 1024);
    const stored = storeImage({ content, storageKey: 'a', readerIds: [1], kind: 1, senderKey: 'user 1' });
    expect(await stored).toMatchObject({ name: String(content.length) });
    expect(tries).toBeGreaterThan(1);
    client.close();
    await aging.close();
  });
});

test('a stream of any size that is refused at its start is retried', async () => {
  const received = [0, 0];
  const closing = await startServer((stream) => {
    const turn = received.indexOf(0);
    stream.on('data', (bytes: Buffer) => {
      received[turn]! += bytes.length;
      if (turn === 0) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    });
    if (turn === 0) return;
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status.INVALID_ARGUMENT }));
    stream.once('end', () => stream.end());
  });
  const { port: itsPort } = closing.address() as AddressInfo;
  const client = clientOf(createServiceCaller('messages', keys.messages.privateKey), `127.0.0.1:${itsPort}`, {
    isForStreams: true,
  });
  const stream = clientStream<MorphVoiceRequest, MorphVoiceResponse>(client.morphVoice.bind(client), PATIENCE_MS)();
  const PIECES = 64;
  const piece = Buffer.alloc(64 * 1024);
  await stream.write({ part: { $case: 'senderKey', value: 'user 1' } });
  for (let count = 0; count < PIECES; count++) await stream.write({ part: { $case: 'recording', value: piece } });
  await expect(stream.finish()).rejects.toMatchObject({ cause: { code: status.INVALID_ARGUMENT } });
  expect(received[1]).toBeGreaterThan(PIECES * piece.length);
  client.close();
  await new Promise((resolve) => closing.close(resolve));
});

test('a stream is unavailable if its server reads nothing', async () => {
  const frozen = await startServer((stream) => stream.pause());
  const { port: itsPort } = frozen.address() as AddressInfo;
  const client = clientOf(createServiceCaller('messages', keys.messages.privateKey), `127.0.0.1:${itsPort}`, {
    isForStreams: true,
  });
  const stream = clientStream<MorphVoiceRequest, MorphVoiceResponse>(client.morphVoice.bind(client), 5_000, 100)();
  const piece = Buffer.alloc(64 * 1024);
  const sendForEver = async (): Promise<void> => {
    for (;;) await stream.write({ part: { $case: 'recording', value: piece } });
  };
  await expect(sendForEver()).rejects.toMatchObject({ code: 'unavailable' });
  client.close();
  await new Promise((resolve) => frozen.close(resolve));
});

describe('a server that ends a call without an answer', () => {
  const respond = (stream: ServerHttp2Stream): void => stream.respond({ 'content-type': 'application/grpc' });

  // Threat model: grpc-8.
  test.each<[string, (stream: ServerHttp2Stream) => void]>([
    ['closes the connection', (stream) => stream.session?.destroy()],
    [
      'closes the connection within its answer',
      (stream) => {
        respond(stream);
        stream.session?.destroy();
      },
    ],
    ['resets the connection', (stream) => (stream.session?.socket as Socket).resetAndDestroy()],
    ...[
      constants.NGHTTP2_NO_ERROR,
      constants.NGHTTP2_PROTOCOL_ERROR,
      constants.NGHTTP2_INTERNAL_ERROR,
      constants.NGHTTP2_REFUSED_STREAM,
      constants.NGHTTP2_CANCEL,
    ].map((code): [string, (stream: ServerHttp2Stream) => void] => [
      `ends the stream with code ${code}`,
      (stream) => {
        respond(stream);
        stream.close(code);
      },
    ]),
  ])('a server is unavailable when it %s', async (_what, onCall) => {
    const dying = await startServer(onCall);
    const { port: itsPort } = dying.address() as AddressInfo;
    const client = clientOf(createServiceCaller('chatbot', keys.chatbot.privateKey), `127.0.0.1:${itsPort}`);
    const call = unary<GetImageRequest, GetImageResponse>(client.getImage.bind(client));
    await expect(call({ name: 'x' })).rejects.toMatchObject({ code: 'unavailable', httpStatus: 503 });
    client.close();
    await new Promise((resolve) => dying.close(resolve));
  });
});

describe('errors', () => {
  test('arrive with code, fields and retry time', async () => {
    answer = () =>
      Promise.reject(
        new AppError({ code: 'invalid_input', message: 'No such name.', fields: { name: 'unknown' }, retryAfter: 7 }),
      );
    await expect(getImage()).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'No such name.',
      fields: { name: 'unknown' },
      retryAfter: 7,
    });
  });

  // Threat model: grpc-7.
  test('errors of unknown kind arrive without their message', async () => {
    answer = () => Promise.reject(new Error('E11000 dup key: { name: "somebody" }'));
    await expect(getImage()).rejects.toMatchObject({
      code: 'internal',
      message: 'Something went wrong on our side.',
    });
  });

  test('errors of an unavailable dependency are not retried', async () => {
    answer = () => Promise.reject(Object.assign(new Error('no'), { name: 'MongoServerSelectionError' }));
    await expect(getImage()).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toBe(1);
  });
});

describe('a call', () => {
  const withToken = (token: string): ServiceCaller => ({ tokenFor: () => Promise.resolve(token) });

  const tokenOf = ({ key = keys.chatbot.privateKey, issuer = 'chatbot', audience = MEDIA, expires = '60s' } = {}) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA', kid: issuer })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime(expires)
      .sign(key);

  test('a call is answered for an allowed service', async () => {
    expect((await getImage()).content.toString()).toBe('picture');
    expect((await getImageAs(withToken(await tokenOf()))).content.toString()).toBe('picture');
  });

  // Threat model: grpc-1.
  test.each<[string, () => Promise<string>]>([
    ['no token', () => Promise.resolve('')],
    ['text that is no token', () => Promise.resolve('a.b.c')],
    ['a token that another service signed', () => tokenOf({ key: keys.messages.privateKey })],
    ['a token of an unknown service', () => tokenOf({ issuer: 'stranger' })],
    ['a token for another service', () => tokenOf({ audience: 'najwa.auth.v1.AuthService' })],
    [
      'an unsigned token',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await tokenOf()).split('.')[1]}.`,
    ],
  ])('a call is refused with %s, and has no effect', async (_name, token) => {
    const refusal = getImageAs(withToken(await token()));
    await expect(refusal).rejects.toMatchObject({ code: 'internal', cause: { code: status.UNAUTHENTICATED } });
    expect(calls).toBe(0);
  });

  test.each<[string, () => Promise<string>]>([
    ['its token is never ready', () => new Promise(() => undefined)],
    ['its token is ready after that', () => new Promise((resolve) => setTimeout(() => resolve(tokenOf()), 100))],
    [
      'the process stood still until then',
      () => {
        const until = performance.now() + 100;
        while (performance.now() < until);
        return tokenOf();
      },
    ],
  ])('a call ends at its deadline, although %s', async (_name, tokenFor) => {
    await expect(getImageAs({ tokenFor }, 50)).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toBe(0);
  });

  test('a call whose token expired on the way is retryable, and has no effect', async () => {
    const late = getImageAs(withToken(await tokenOf({ expires: '-1s' })));
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toBe(0);
  });

  test('a call takes a new token for each try', async () => {
    const tokens = [await tokenOf({ expires: '-1s' }), await tokenOf()];
    const found = await getImageAs({ tokenFor: () => Promise.resolve(tokens.shift() ?? '') });
    expect(found.content.toString()).toBe('picture');
    expect(calls).toBe(1);
  });

  // Threat model: grpc-2.
  test('a call is refused if the service may only call other methods', async () => {
    const messages = clientOf(createServiceCaller('messages', keys.messages.privateKey));
    const removeImage = unary<RemoveImageRequest, unknown>(messages.removeImage.bind(messages));
    await expect(removeImage({ name: 'a.webp' })).rejects.toMatchObject({ cause: { code: status.PERMISSION_DENIED } });
    const client = clientOf(createServiceCaller('chatbot', keys.chatbot.privateKey));
    const followMessage = unary<FollowMessageRequest, unknown>(client.followMessage.bind(client));
    await expect(followMessage({})).rejects.toMatchObject({
      cause: { code: status.PERMISSION_DENIED },
    });
    expect(calls).toBe(0);
  });
});
