// Long run: two sets of replicas for the rotation of keys.
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { publicKeyEntry } from '@najwa/common/grpc';
import { createLogger } from '@najwa/common/logging';
import { create, loadConfig, type GatewayService } from '@najwa/gateway';
import { buildRegistration, eventually, startTestBed, type TestBed } from '@najwa/testing';

const newKeys = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

const identity = { old: newKeys(), next: newKeys() };
const service = { old: newKeys(), next: newKeys() };

const entry = (keys: ReturnType<typeof newKeys>): string => publicKeyEntry('gateway', keys.publicKey);

let beds: TestBed[];
let gateways: GatewayService[];

/** Services that accept these keys. */
async function startServices(identities: string, callers: string): Promise<TestBed> {
  const bed = await startTestBed({
    services: ['media', 'auth'],
    env: { IDENTITY_PUBLIC_KEY: identities, SERVICE_PUBLIC_KEYS: callers, RATE_LIMIT_SCALE: '0' },
  });
  beds.push(bed);
  return bed;
}

/** With its own key pair. @returns its address */
async function startGateway(
  bed: TestBed,
  { privateKey }: ReturnType<typeof newKeys>,
  caller: ReturnType<typeof newKeys>,
): Promise<string> {
  const config = loadConfig({
    ...bed.environmentOf('gateway'),
    IDENTITY_PRIVATE_KEY: privateKey,
    SERVICE_PRIVATE_KEY: caller.privateKey,
  });
  const gateway = await create(config, { logger: createLogger({ service: 'gateway', level: 'silent' }) });
  gateways.push(gateway);
  await gateway.start();
  return `http://127.0.0.1:${gateway.ports().http}`;
}

const post = (address: string, path: string, body: object): Promise<Response> =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'fetch' },
    body: JSON.stringify(body),
  });

/** @returns the session cookie */
async function signUp(address: string): Promise<string> {
  const response = await post(address, '/api/register', buildRegistration());
  expect(response.status).toBe(201);
  return response.headers.getSetCookie().join('; ');
}

const statusFor = async (address: string, cookie: string): Promise<number> =>
  (await fetch(`${address}/api/user`, { headers: { cookie } })).status;

/** Retries while auth is too slow, as on a busy machine. A refused key stays refused. */
async function answeredStatus(address: string, cookie: string): Promise<number> {
  let status = 0;
  await eventually(async () => {
    status = await statusFor(address, cookie);
    expect(status).not.toBe(503);
  });
  return status;
}

beforeAll(() => {
  beds = [];
  gateways = [];
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await Promise.all(beds.map((bed) => bed.stop()));
});

test('replicas with the old and with the new keys work side by side while both are accepted', async () => {
  const bed = await startServices(
    `${identity.old.publicKey}${identity.next.publicKey}`,
    `${entry(service.old)},${entry(service.next)}`,
  );
  const replicas = [
    await startGateway(bed, identity.old, service.old),
    await startGateway(bed, identity.next, service.old),
    await startGateway(bed, identity.next, service.next),
  ];
  const cookie = await signUp(replicas[0] ?? '');
  const statuses = await Promise.all(
    Array.from({ length: 30 }, (_, index) => answeredStatus(replicas[index % replicas.length] ?? '', cookie)),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});

// Threat model: http-1.
test('the old keys are refused once they are no longer accepted', async () => {
  const bed = await startServices(identity.next.publicKey, entry(service.next));
  const cookie = await signUp(await startGateway(bed, identity.next, service.next));
  const oldIdentity = await startGateway(bed, identity.old, service.next);
  const oldCaller = await startGateway(bed, identity.next, service.old);
  expect(await answeredStatus(oldIdentity, cookie)).toBe(401);
  expect(await statusFor(oldCaller, cookie)).toBe(503);
});
