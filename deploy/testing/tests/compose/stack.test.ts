import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inboxOf, startTestSystem, type TestSystem } from '@najwa/testing';
import { trackedIdsThrough } from '../support/people.js';
import { SENDERS, startSenders } from '../support/senders.js';
import { containerOf, docker, inProject, SERVERS, SERVICES } from './stack.js';

/** Eleven restarts, each followed by forty accepted messages. */
const RESTARTS_TIMEOUT_MS = 900_000;

let system: TestSystem;

beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system.stop());

test('names a missing secret in one sentence', async () => {
  const { PATH = '', HOME = '' } = process.env;
  const said = await new Promise<string>((resolve) => {
    execFile('docker', ['compose', '--env-file', '/dev/null', 'config'], { env: { PATH, HOME } }, (_error, _out, err) =>
      resolve(err),
    );
  });
  expect(said).toMatch(/variable [A-Z\d_]+ is missing a value: is not set\. Write \.env first/);
});

describe('the web image behind the gateway', () => {
  const get = (path: string, encoding: string): Promise<Response> =>
    fetch(`${system.url}${path}`, { headers: { 'accept-encoding': encoding } });

  test.each(['/', '/settings'])('answers %s with the page', async (path) => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const response = await get(path, encoding);
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
      const page = await response.text();
      expect(page).toContain('<div id="root"');
      // The build compresses from a kilobyte on.
      const expected = Buffer.byteLength(page) < 1024 ? 'identity' : encoding;
      expect(response.headers.get('content-encoding') ?? 'identity').toBe(expected);
    }
  });

  test('answers 404 with the page for an unknown account', async () => {
    const response = await get('/m/john.q.public', 'gzip');
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(await response.text()).toContain('<div id="root"');
  });

  test('lets hashed files be cached for a year, and sends them compressed', async () => {
    const [, script = ''] = /"(assets\/[^"]+\.js)"/.exec(await (await get('/', 'identity')).text()) ?? [];
    const bodies = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) => {
        const response = await get(`/${script}`, encoding);
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
        expect(response.headers.get('vary')).toMatch(/accept-encoding/i);
        expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding);
        return response.text();
      }),
    );
    expect(new Set(bodies).size).toBe(1);
    expect((await get('/assets/missing.js', 'br')).status).toBe(404);
  });
});

test(
  'loses and duplicates nothing while each part is restarted under 20 senders',
  async () => {
    const owner = await system.newAccount();
    const { cookie } = await system.newStaff('administrator');
    const senders = startSenders(system, owner.id);
    const goesOn = async (): Promise<void> => {
      const before = senders.accepted.length;
      await system.eventually(() => expect(senders.accepted.length).toBeGreaterThan(before + 2 * SENDERS), 120_000);
    };
    try {
      await goesOn();
      for (const part of [...SERVICES, ...SERVERS]) {
        await inProject('restart', part);
        await goesOn();
      }
    } finally {
      await senders.stop();
    }

    const stored = await inboxOf(system, owner);
    const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;
    expect(stored.map(({ id, content }) => ({ id, content }))).toEqual([...senders.accepted].sort(byId));
    expect(new Set(stored.map(({ content }) => content)).size).toBe(stored.length);
    await system.eventually(
      async () => expect(await trackedIdsThrough(system, cookie, owner.id)).toEqual(stored.map(({ id }) => id)),
      180_000,
    );
    const refused = new Set(senders.refusals.map(({ status }) => status));
    expect([...refused].filter((status) => ![0, 502, 503].includes(status))).toEqual([]);
  },
  RESTARTS_TIMEOUT_MS,
);

test.each(SERVICES)('%s ends by itself when it is asked to', async (service) => {
  const container = await containerOf(service);
  await docker('stop', '--time', '20', container);
  const status = await docker('inspect', '--format', '{{.State.ExitCode}}', container);
  await inProject('up', '--detach', '--no-build', '--no-deps', '--wait', service);
  expect(status).toBe('0');
});
