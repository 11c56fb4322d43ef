import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestBed, type TestBed } from '@najwa/testing';
import { newAccount, sessionTokenOf, type SignedIn } from './account-bed.js';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth'], env: { RATE_LIMIT_SCALE: '0', PUBLIC_HOSTS: 'najwa.example' } });
});

afterAll(() => bed.stop());

const SITE = { 'x-forwarded-host': 'najwa.example' };
const ORIGIN = 'https://najwa.example';

const call = (
  method: string,
  path: string,
  { identity, body }: { identity?: SignedIn['identity']; body?: unknown } = {},
) =>
  bed.call('auth', method, path, {
    headers: SITE,
    ...(identity && { identity }),
    ...(body !== undefined && { body }),
  });

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
const text = (bytes: Buffer): string => bytes.toString('base64url');

/** CBOR of the few forms that WebAuthn needs: RFC 8949. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number): Buffer =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -value - 1);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item as Buffer)]),
  ]);
}

/** An authenticator in software: one ES256 key, as https://www.w3.org/TR/webauthn-3/ describes it. */
class Authenticator {
  readonly id = randomBytes(16);
  counter = 0;
  private readonly key: { privateKey: KeyObject; publicKey: KeyObject } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  });

  private data(rpId: string, attested = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE((this.counter += 1));
    // User present, user verified, and whether credential data follows.
    return Buffer.concat([sha256(rpId), Buffer.from([attested.length > 0 ? 0x45 : 0x05]), counter, attested]);
  }

  private clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  create(challenge: string, { origin = ORIGIN, rpId = 'najwa.example' } = {}) {
    const { x = '', y = '' } = this.key.publicKey.export({ format: 'jwk' });
    const coordinates = [x, y].map((coordinate) => Buffer.from(coordinate, 'base64url'));
    const publicKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinates[0]],
        [-3, coordinates[1]],
      ]),
    );
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, publicKey]);
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', this.data(rpId, attested)],
      ]),
    );
    const response = {
      clientDataJSON: text(this.clientData('webauthn.create', challenge, origin)),
      attestationObject: text(attestationObject),
      transports: ['internal'],
    };
    return { id: text(this.id), rawId: text(this.id), type: 'public-key', clientExtensionResults: {}, response };
  }

  get(challenge: string, { origin = ORIGIN, rpId = 'najwa.example' } = {}) {
    const authenticatorData = this.data(rpId);
    const clientData = this.clientData('webauthn.get', challenge, origin);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.key.privateKey);
    const response = {
      clientDataJSON: text(clientData),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
    };
    return { id: text(this.id), rawId: text(this.id), type: 'public-key', clientExtensionResults: {}, response };
  }
}

interface Options {
  challenge: string;
  rp: { id: string };
  rpId: string;
  excludeCredentials: { id: string }[];
}

const optionsFor = async ({ identity }: SignedIn): Promise<Options> =>
  (await call('POST', '/api/passkeys/options', { identity })).body as Options;
const loginOptions = async (): Promise<Options> => (await call('POST', '/api/passkeys/login/options')).body as Options;
const verify = (body: unknown) => call('POST', '/api/passkeys/login/verify', { body });

async function withPasskey(): Promise<{ owner: SignedIn; device: Authenticator; id: string }> {
  const owner = await newAccount(bed);
  const device = new Authenticator();
  const { challenge } = await optionsFor(owner);
  const answer = await call('POST', '/api/passkeys', { identity: owner.identity, body: device.create(challenge) });
  expect(answer.status).toBe(201);
  return { owner, device, id: (answer.body as { id: string }).id };
}

const REFUSED = { status: 401, body: { code: 'passkey_refused' } };
const INVALID = { status: 422, body: { code: 'invalid_input', fields: { response: 'not_valid' } } };

describe('a passkey', () => {
  test('a passkey is added, signs in and shows its last use', async () => {
    const { owner, device, id } = await withPasskey();
    const list = async () => (await call('GET', '/api/passkeys', { identity: owner.identity })).body;
    expect(await list()).toMatchObject([{ id, lastUsedAt: null }]);
    const { challenge, rpId } = await loginOptions();
    expect(rpId).toBe('najwa.example');
    const answer = await verify(device.get(challenge));
    expect([answer.status, answer.body]).toMatchObject([200, { id: owner.id }]);
    expect(await bed.resolveSession(sessionTokenOf(answer.headers))).toMatchObject({ userId: owner.id });
    expect(await list()).toMatchObject([{ id, lastUsedAt: expect.any(String) }]);
    expect(await optionsFor(owner)).toMatchObject({
      rp: { id: 'najwa.example' },
      excludeCredentials: [{ id: text(device.id) }],
    });
  });

  test('a passkey answers each challenge once, even to concurrent requests', async () => {
    const { device } = await withPasskey();
    const { challenge } = await loginOptions();
    const answers = await Promise.all([1, 2, 3].map(() => verify(device.get(challenge))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(await verify(device.get(challenge))).toMatchObject(REFUSED);
  });

  // Threat model: gateway-2.
  test('a passkey does not sign in from another site, with a foreign challenge or with a copied counter', async () => {
    const { device } = await withPasskey();
    const get = async (options: Parameters<Authenticator['get']>[1]) =>
      verify(device.get((await loginOptions()).challenge, options));
    expect(await get({ origin: 'https://evil.example' })).toMatchObject(REFUSED);
    expect(await get({ origin: 'http://najwa.example' })).toMatchObject(REFUSED);
    expect(await get({ rpId: 'evil.example' })).toMatchObject(REFUSED);
    expect(await verify(device.get(text(randomBytes(32))))).toMatchObject(REFUSED);
    expect((await get({})).status).toBe(200);
    device.counter = 0;
    expect(await get({})).toMatchObject(REFUSED);
    expect(await verify(new Authenticator().get((await loginOptions()).challenge))).toMatchObject(REFUSED);
  });

  test('a passkey is not added with the challenge of another account, of a login or of another site', async () => {
    const [owner, stranger] = [await newAccount(bed), await newAccount(bed)];
    const add = (challenge: string, options?: Parameters<Authenticator['create']>[1]) =>
      call('POST', '/api/passkeys', { identity: owner.identity, body: new Authenticator().create(challenge, options) });
    expect(await add((await optionsFor(stranger)).challenge)).toMatchObject(INVALID);
    expect(await add((await loginOptions()).challenge)).toMatchObject(INVALID);
    expect(await add((await optionsFor(owner)).challenge, { origin: 'https://evil.example' })).toMatchObject(INVALID);
    const { challenge } = await optionsFor(owner);
    expect((await add(challenge)).status).toBe(201);
    expect(await add(challenge)).toMatchObject(INVALID);
  });

  test('a twenty-first passkey is refused, even if several are added at once', async () => {
    const owner = await newAccount(bed);
    const count = async () =>
      ((await call('GET', '/api/passkeys', { identity: owner.identity })).body as unknown[]).length;
    const answersTo = async (challenges: string[]) =>
      Promise.all(
        challenges.map((challenge) =>
          call('POST', '/api/passkeys', { identity: owner.identity, body: new Authenticator().create(challenge) }),
        ),
      );
    const challenges: string[] = [];
    for (let index = 0; index < 25; index += 1) challenges.push((await optionsFor(owner)).challenge);
    const first = await answersTo(challenges.slice(0, 19));
    expect([first.every(({ status }) => status === 201), await count()]).toEqual([true, 19]);
    const answers = await answersTo(challenges.slice(19));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: { code: 'passkeys_full' } });
    expect(await count()).toBe(25 - refused.length);
  });

  test('a passkey is removed by its owner alone and does not sign in any more', async () => {
    const { owner, device, id } = await withPasskey();
    const stranger = await newAccount(bed);
    const remove = ({ identity }: SignedIn) => call('DELETE', `/api/passkeys/${id}`, { identity });
    expect(await remove(stranger)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await remove(owner)).status).toBe(204);
    expect(await verify(device.get((await loginOptions()).challenge))).toMatchObject(REFUSED);
  });

  test.each([{}, { id: '!', rawId: '!', type: 'public-key' }, { id: 'a', rawId: 'a', type: 'password', response: {} }])(
    'a passkey is not expected to look like %p',
    async (body) => {
      expect(await verify(body)).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    },
  );
});
