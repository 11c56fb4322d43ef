import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  MediaServiceClient,
  MediaServiceService,
  type GetImageRequest,
  type GetImageResponse,
} from '@najwa/proto/media';
import { AppError } from '../errors.js';
import { createLogger } from '../logger.js';
import { createMetrics } from '../metrics.js';
import { channelCredentials, channelOptions, unary } from './client.js';
import { createGrpcServer, type GrpcServer } from './server.js';

let server: GrpcServer;
let calls: number;
let answer: () => Promise<GetImageResponse>;
let getImage: (request: GetImageRequest) => Promise<GetImageResponse>;
let client: MediaServiceClient;

const unused = (): never => {
  throw new Error('Nobody calls this.');
};

beforeEach(async () => {
  calls = 0;
  server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    logger: createLogger({ service: 'media', level: 'silent' }),
    metrics: createMetrics('media'),
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
  client = new MediaServiceClient(`127.0.0.1:${await server.listen()}`, channelCredentials, channelOptions);
  getImage = unary(client.getImage.bind(client));
});

afterEach(async () => {
  client.close();
  await server.close();
});

test('an error of ours arrives whole', async () => {
  answer = () =>
    Promise.reject(
      new AppError({ code: 'invalid_input', message: 'No such name.', fields: { name: 'unknown' }, retryAfter: 7 }),
    );
  await expect(getImage({ name: 'x' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'No such name.',
    fields: { name: 'unknown' },
    retryAfter: 7,
  });
});

test('an unknown error tells nothing of itself', async () => {
  answer = () => Promise.reject(new Error('E11000 dup key: { name: "somebody" }'));
  await expect(getImage({ name: 'x' })).rejects.toMatchObject({
    code: 'internal',
    message: 'Something went wrong on our side.',
  });
});

test('a server that waited in vain for what it leans on is not asked again by the same call', async () => {
  answer = () => Promise.reject(Object.assign(new Error('no'), { name: 'MongoServerSelectionError' }));
  await expect(getImage({ name: 'x' })).rejects.toMatchObject({ code: 'unavailable' });
  expect(calls).toBe(1);
});
