import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import {
  MediaServiceClient,
  MediaServiceService,
  type FollowMessageRequest,
  type GetImageRequest,
  type GetImageResponse,
} from '@najwa/proto/media';
import { SignJWT } from 'jose';
import { AppError } from '../errors.js';
import { createLogger } from '../logger.js';
import { createMetrics } from '../metrics.js';
import { createGrpcClient, unary } from './client.js';
import { createGrpcServer, type GrpcServer } from './server.js';
import { createCallerVerifier, createServiceCaller, type ServiceCaller } from './service-token.js';

const MEDIA = 'najwa.media.v1.MediaService';

const keys = { chatbot: generateKeyPairSync('ed25519'), messages: generateKeyPairSync('ed25519') };

let server: GrpcServer;
let address: string;
let calls: number;
let answer: () => Promise<GetImageResponse>;
let clients: MediaServiceClient[];

const unused = (): never => {
  throw new Error('Unexpected call.');
};

beforeEach(async () => {
  calls = 0;
  clients = [];
  answer = () => Promise.resolve({ content: Buffer.from('picture'), contentType: 'image/webp' });
  server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    logger: createLogger({ service: 'media', level: 'silent' }),
    metrics: createMetrics('media'),
    callers: createCallerVerifier(
      new Map([
        ['chatbot', keys.chatbot.publicKey],
        ['messages', keys.messages.publicKey],
      ]),
    ),
  });
  server.add(MediaServiceService, {
    getImage: () => {
      calls += 1;
      return answer();
    },
    storeImage: unused,
    removeImage: unused,
    morphVoice: unused,
    followMessage: unused,
  });
  address = `127.0.0.1:${await server.listen()}`;
});

afterEach(async () => {
  for (const client of clients) client.close();
  await server.close();
});

function clientOf(caller: ServiceCaller): MediaServiceClient {
  const client = createGrpcClient(MediaServiceClient, address, caller);
  clients.push(client);
  return client;
}

const getImageAs = (caller: ServiceCaller): Promise<GetImageResponse> => {
  const client = clientOf(caller);
  return unary<GetImageRequest, GetImageResponse>(client.getImage.bind(client))({ name: 'x' });
};

const getImage = (): Promise<GetImageResponse> => getImageAs(createServiceCaller('chatbot', keys.chatbot.privateKey));

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

  test('of unknown kind arrive without their message', async () => {
    answer = () => Promise.reject(new Error('E11000 dup key: { name: "somebody" }'));
    await expect(getImage()).rejects.toMatchObject({
      code: 'internal',
      message: 'Something went wrong on our side.',
    });
  });

  test('of an unavailable dependency are not retried', async () => {
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

  test('is answered for an allowed service', async () => {
    expect((await getImage()).content.toString()).toBe('picture');
    expect((await getImageAs(withToken(await tokenOf()))).content.toString()).toBe('picture');
  });

  test.each<[string, () => Promise<string>]>([
    ['no token', () => Promise.resolve('')],
    ['text that is no token', () => Promise.resolve('a.b.c')],
    ['a token that another service signed', () => tokenOf({ key: keys.messages.privateKey })],
    ['a token of an unknown service', () => tokenOf({ issuer: 'stranger' })],
    ['an expired token', () => tokenOf({ expires: '-1s' })],
    ['a token for another service', () => tokenOf({ audience: 'najwa.auth.v1.AuthService' })],
    [
      'an unsigned token',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await tokenOf()).split('.')[1]}.`,
    ],
  ])('is refused with %s, and has no effect', async (_name, token) => {
    const refusal = getImageAs(withToken(await token()));
    await expect(refusal).rejects.toMatchObject({ code: 'internal', cause: { code: status.UNAUTHENTICATED } });
    expect(calls).toBe(0);
  });

  test('is refused if the service may only call other methods', async () => {
    const messages = createServiceCaller('messages', keys.messages.privateKey);
    await expect(getImageAs(messages)).rejects.toMatchObject({ cause: { code: status.PERMISSION_DENIED } });
    const client = clientOf(createServiceCaller('chatbot', keys.chatbot.privateKey));
    const followMessage = unary<FollowMessageRequest, unknown>(client.followMessage.bind(client));
    await expect(followMessage({})).rejects.toMatchObject({
      cause: { code: status.PERMISSION_DENIED },
    });
    expect(calls).toBe(0);
  });
});
