import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { GetImageRequest, MediaServiceService, type MorphVoiceRequest } from '@najwa/proto/media';
import { createLogger } from '../logging/logger.js';
import { Metrics } from '../metrics/metrics.js';
import { GrpcServer } from './server.js';
import { createCallerVerifier, createServiceCaller } from './service-token.js';

const MEDIA = 'najwa.media.v1.MediaService';
const ONE = MediaServiceService.getImage.path;
const STREAM = MediaServiceService.morphVoice.path;
const NINE_MIB = 9 * 1024 * 1024;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

let server: GrpcServer;
let session: ClientHttp2Session;
let handled: number;

const unused = (): never => {
  throw new Error('Unexpected call.');
};

beforeEach(async () => {
  handled = 0;
  server = new GrpcServer({
    host: '127.0.0.1',
    port: 0,
    logger: createLogger({ service: 'media', level: 'silent' }),
    metrics: new Metrics('media'),
    callers: createCallerVerifier(new Map([['messages', [publicKey]]])),
  });
  server.add(MediaServiceService, {
    getImage: () => {
      handled += 1;
      return Promise.resolve({ content: Buffer.from('picture'), contentType: 'image/webp' });
    },
    morphVoice: async (parts: AsyncIterable<MorphVoiceRequest>) => {
      for await (const { part } of parts) if (part) handled += 1;
      return { name: '', duration: 0, amplitudes: [] } as never;
    },
    getSound: unused,
    storeImage: unused,
    removeImage: unused,
    storeArchivePart: unused,
    getArchivePart: unused,
    removeArchive: unused,
    followMessage: unused,
  });
  session = connect(`http://127.0.0.1:${await server.listen()}`);
  await once(session, 'connect');
});

afterEach(async () => {
  session.destroy();
  await server.close();
});

/** gRPC's frame around a message. */
function frame(message: Uint8Array, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

/** On one connection. @returns gRPC's status and details */
async function send(path: string, bytes: Buffer, isKnown = true): Promise<[code: number, details: string]> {
  const token = await createServiceCaller('messages', privateKey).tokenFor(MEDIA);
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...(isKnown && { 'najwa-service-token': token }),
  });
  const answer: IncomingHttpHeaders = {};
  stream.on('response', (headers) => void Object.assign(answer, headers));
  stream.on('trailers', (trailers) => void Object.assign(answer, trailers));
  stream.on('error', () => undefined);
  stream.resume();
  stream.end(bytes);
  await once(stream, 'close');
  return [Number(answer['grpc-status']), decodeURIComponent(String(answer['grpc-message']))];
}

const GOOD = frame(GetImageRequest.encode({ name: 'a.webp' }).finish());

// Threat model: grpc-6.
test.each([
  ['a wire type that does not exist', Buffer.from([0x0f, 0x01])],
  ['a field that is longer than its message', Buffer.from([0x0a, 0x7f, 0x61])],
  ['an endless number', Buffer.alloc(40, 0xff)],
])('%s is refused as a fault of the caller, and the next call of the connection is answered', async (_kind, bytes) => {
  const refusal = [status.INVALID_ARGUMENT, 'A message of the call is unreadable.'];
  expect(await send(ONE, frame(bytes))).toEqual(refusal);
  expect(await send(STREAM, frame(bytes))).toEqual(refusal);
  expect(handled).toBe(0);
  expect((await send(ONE, GOOD))[0]).toBe(status.OK);
});

// Threat model: grpc-6.
test('a stranger does not learn whether bytes can be read', async () => {
  const refusal = [status.UNAUTHENTICATED, 'This service may not make this call.'];
  expect(await send(ONE, frame(Buffer.from([0x0f, 0x01])), false)).toEqual(refusal);
  expect(await send(ONE, GOOD, false)).toEqual(refusal);
});

// Threat model: grpc-6.
test('a message that is too large, or says so, is refused, and the next call is answered', async () => {
  const huge = GetImageRequest.encode({ name: 'a'.repeat(NINE_MIB) }).finish();
  for (const path of [ONE, STREAM]) {
    expect((await send(path, frame(huge)))[0]).toBe(status.RESOURCE_EXHAUSTED);
    expect((await send(path, frame(Buffer.from('a'), 2 ** 32 - 1)))[0]).toBe(status.RESOURCE_EXHAUSTED);
  }
  expect(handled).toBe(0);
  expect((await send(ONE, GOOD))[0]).toBe(status.OK);
});

test('a field of a later version is passed over', async () => {
  const later = Buffer.from([0xfa, 0x3e, 0x03, 0x61, 0x62, 0x63]);
  expect((await send(ONE, frame(Buffer.concat([GetImageRequest.encode({ name: 'a' }).finish(), later]))))[0]).toBe(
    status.OK,
  );
  expect(handled).toBe(1);
});
