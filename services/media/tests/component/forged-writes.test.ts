import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requiredVariable } from '@najwa/testing';
import { connectStore } from '../../src/clients/blob-store.js';
import { forgeWrites } from '../../src/doctor/forged-writes.js';

const endpoint = requiredVariable('S3_ENDPOINT');
const accessKey = requiredVariable('S3_ACCESS_KEY');
const bucket = `najwa-forged-${randomUUID()}`;
const { client, agent } = connectStore({ endpoint, accessKey, secretKey: requiredVariable('S3_SECRET_KEY') });

const listed = async (): Promise<string[]> =>
  ((await client.listObjectsV2(bucket, '', true).toArray()) as { name: string }[]).map(({ name }) => name);

beforeAll(() => client.makeBucket(bucket));
afterAll(async () => {
  await client.removeObjects(bucket, await listed());
  await client.removeBucket(bucket);
  agent.destroy();
});

const acceptedWith = async (key: string): Promise<string[]> =>
  (await forgeWrites(endpoint, key, bucket)).filter(({ accepted }) => accepted).map(({ name }) => name);

/** Whether something listens on an address of this machine. Tests may not connect to it, but take the port there. */
const isTaken = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(true))
      .listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)));
  });

async function isOpenToOthers(): Promise<boolean> {
  const { hostname, port } = new URL(endpoint);
  if (!/^(localhost|127\.|\[::1\])/.test(hostname)) return true;
  const addresses = Object.values(networkInterfaces()).flatMap((found = []) =>
    found.flatMap(({ address, internal, family }) => (internal || family === 'IPv6' ? [] : [address])),
  );
  const taken = await Promise.all(addresses.map((host) => isTaken(Number(port), host)));
  return taken.includes(true);
}

// Threat model: minio-7.
test('a forged write with an invalid key is refused in every form and stores nothing', async () => {
  for (const key of ['najwa', 'minioadmin', 'siloadmin', accessKey.slice(0, -1)])
    expect({ key, accepted: await acceptedWith(key) }).toEqual({ key, accepted: [] });
  expect(await listed()).toEqual([]);
});

// Threat model: minio-7.
test('a forged write with the right key is refused, or other machines cannot reach the store', async () => {
  const accepted = await acceptedWith(accessKey);
  expect(accepted.length === 0 || !(await isOpenToOthers())).toBe(true);
  // Without a name of a key, none is ever accepted, and plain wrong signatures are not either.
  expect(accepted).not.toContain('without a signature');
  expect(accepted).not.toContain('with a wrong signature');
});
