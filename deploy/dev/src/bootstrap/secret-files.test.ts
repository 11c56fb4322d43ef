import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { publicKeyEntry } from '@najwa/common/grpc';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { environmentOf, SERVICE_NAMES } from '../system/environment.js';
import { CALLING_SERVICES, createPrivateKeyPem, publicKeyEntry as entryOfKeys } from './keys.js';
import { writeComposeSecrets, writeKubernetesSecrets, writeSecrets } from './secret-files.js';

describe('the secrets of the local overlay', () => {
  let folder = '';
  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'najwa-unit-')), 'secrets');
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true }));

  const variablesOf = async (name: string): Promise<Record<string, string | undefined>> =>
    parseEnv(await readFile(path.join(folder, `${name}.env`), 'utf8'));

  test('the secrets of every service but admin have the address of the broker', async () => {
    await writeKubernetesSecrets(folder);
    const having = await Promise.all(SERVICE_NAMES.map(async (name) => 'AMQP_URL' in (await variablesOf(name))));
    expect(SERVICE_NAMES.filter((_name, place) => !having[place])).toEqual(['admin']);
  });

  test('stay as they are once made, in owner-only files', async () => {
    await writeKubernetesSecrets(folder);
    const first = await variablesOf('admin');
    await writeKubernetesSecrets(folder);
    expect(await variablesOf('admin')).toEqual(first);
    for (const name of await readdir(folder)) expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
  });

  test('get what a later version needs, with one value for all who share it', async () => {
    await writeKubernetesSecrets(folder);
    const before = await variablesOf('messages');
    for (const name of ['messages', 'media']) {
      const file = path.join(folder, `${name}.env`);
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^SENDER_KEYS=.*\n/m, ''));
    }
    expect(await writeKubernetesSecrets(folder)).toContain('Added SENDER_KEYS');
    expect(await variablesOf('messages')).toEqual(before);
    expect((await variablesOf('media'))['SENDER_KEYS']).toBe(before['SENDER_KEYS']);
  });

  // Threat model: minio-6.
  test('the local secrets have no user, password or key of another installation', async () => {
    const drawnIn = async (name: string): Promise<Record<string, Record<string, string | undefined>>> => {
      const own = path.join(path.dirname(folder), name);
      await writeKubernetesSecrets(path.join(own, 'secrets'));
      await writeComposeSecrets(path.join(own, '.env'));
      const files = [...(await readdir(path.join(own, 'secrets'))).map((file) => path.join('secrets', file)), '.env'];
      const read = async (file: string) => [file, parseEnv(await readFile(path.join(own, file), 'utf8'))] as const;
      return Object.fromEntries(await Promise.all(files.map(read)));
    };
    const [first, second] = [await drawnIn('first'), await drawnIn('second')];
    const shared = Object.entries(first).flatMap(([file, variables]) =>
      Object.entries(variables).flatMap(([name, value]) =>
        value !== '' && value === second[file]?.[name] ? [name] : [],
      ),
    );
    expect(shared.filter((name) => /USER|PASS|KEY|SECRET|COOKIE|_URL$/.test(name))).toEqual([]);
  });

  test('secrets that lack a key which belongs to another are refused', async () => {
    await writeKubernetesSecrets(folder);
    await writeFile(path.join(folder, 'auth.env'), '');
    await expect(writeKubernetesSecrets(folder)).rejects.toThrow(/lack SERVICE_PRIVATE_KEY, /);
    expect(await variablesOf('auth')).toEqual({});
  });

  test('the secrets of Compose get what a later version needs', async () => {
    const file = path.join(path.dirname(folder), '.env');
    await writeComposeSecrets(file);
    const before = parseEnv(await readFile(file, 'utf8'));
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^SENDER_KEYS=.*\n/m, ''));
    expect(await writeComposeSecrets(file)).toContain('Added SENDER_KEYS');
    const { SENDER_KEYS: added, ...others } = parseEnv(await readFile(file, 'utf8'));
    expect({ ...others, SENDER_KEYS: before['SENDER_KEYS'] }).toEqual(before);
    expect(added).toMatch(/^[\w+/]{43}=$/);
    expect(await writeComposeSecrets(file)).toContain('there already');
  });

  // A container writes them as root.
  test('the secrets of Compose belong to the owner of their folder', async () => {
    const owner = process.getuid?.() === 0 ? 4321 : (process.getuid?.() ?? -1);
    await chown(path.dirname(folder), owner, -1);
    const file = path.join(path.dirname(folder), '.env');
    expect(await writeComposeSecrets(file)).toContain('/admin/create');
    const { uid, mode } = await stat(file);
    expect([uid, mode & 0o777]).toEqual([owner, 0o600]);
  });

  test('the local secrets have a key for each calling service, in the format of the services', () => {
    const calling = SERVICE_NAMES.filter((name) => 'SERVICE_PRIVATE_KEY' in environmentOf(name, wiring));
    expect([...CALLING_SERVICES].sort()).toEqual(calling.sort());
    const key = createPrivateKeyPem();
    expect(entryOfKeys('auth', key)).toBe(publicKeyEntry('auth', key));
  });

  test('refuse an unknown target by naming those that exist', () => {
    expect(() => writeSecrets('toString')).toThrow(/kubernetes/);
  });
});

const wiring = {
  host: '127.0.0.1',
  ports: Object.fromEntries([...SERVICE_NAMES, 'web'].map((name) => [name, { http: 1, grpc: 2 }])) as Parameters<
    typeof environmentOf
  >[1]['ports'],
  infrastructure: {},
  secrets: {
    IDENTITY_PRIVATE_KEY: 'key',
    IDENTITY_PUBLIC_KEY: 'key',
    servicePrivateKeys: Object.fromEntries(SERVICE_NAMES.map((name) => [name, 'key'])) as Parameters<
      typeof environmentOf
    >[1]['secrets']['servicePrivateKeys'],
    SERVICE_PUBLIC_KEYS: 'keys',
    ADMIN_SECRET: 'secret',
    ACCOUNT_KEYS: 'keys',
    MODERATION_KEYS: 'keys',
    SENDER_KEYS: 'keys',
    PUSH_KEYS: 'keys',
  },
  own: {},
};
