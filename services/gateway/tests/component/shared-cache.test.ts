import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { freePort } from '@najwa/dev/processes/ports';
import { UserUpdated } from '@najwa/proto/events';
import { eventually, makeTestFolder, requiredVariable } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import { serveWebClient } from '../support/web-client.js';

let bed: GatewayBed;
let cache: ChildProcess | undefined;
let origin: string;
let profile: object | undefined = { id: 1, username: 'noura', name: 'Noura', bio: '', avatar: null };

beforeAll(async () => {
  bed = await startGatewayBed();
  await serveWebClient(bed);
  bed.upstreams.auth.answer((_request, response) => {
    response
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .writeHead(profile ? 200 : 404)
      .end(JSON.stringify(profile ?? { message: 'User not found', code: 'user_not_found' }));
  });
  bed.upstreams.messages.answer((_request, response) => {
    response.setHeader('Content-Type', 'application/json; charset=utf-8').setHeader('X-Total-Count', '0').end('[]');
  });
  const folder = await makeTestFolder('najwa-nginx-');
  const port = await freePort();
  const documented = (await readFile(inCheckout('docs/shared-cache.conf'), 'utf8'))
    .replace('/var/cache/nginx/najwa', path.join(folder, 'pages'))
    .replace('server 127.0.0.1:8080;', `server ${new URL(bed.origin).host};`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
  const file = path.join(folder, 'nginx.conf');
  const own = `add_header X-Cache $upstream_cache_status always; ${temporary.join(' ')}`;
  await writeFile(file, `daemon off; user root; pid nginx.pid; events {} http { ${own}\n${documented} }`);
  cache = spawn(requiredVariable('NGINX_BIN'), ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: 'ignore' });
  origin = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${origin}/health/live`)).status).toBe(200));
});
afterAll(async () => {
  cache?.kill();
  if (cache?.exitCode === null) await once(cache, 'exit');
  await bed.stop();
});

const open = async (headers: Record<string, string> = {}) => {
  const answer = await fetch(`${origin}/m/noura`, { headers });
  return {
    status: answer.status,
    from: answer.headers.get('x-cache'),
    headers: answer.headers,
    html: await answer.text(),
  };
};

test('a crowd gets the page from the cache, each reader in their language, and every visitor a cookie', async () => {
  const readers = ['ar', 'en'].flatMap((language) =>
    ['br', 'gzip', 'identity'].map((encoding) => ({ cookie: `language=${language}`, 'accept-encoding': encoding })),
  );
  let pages: Awaited<ReturnType<typeof open>>[] = [];
  // A busy machine may need longer for one crowd than the second for which a page is kept.
  await eventually(async () => {
    pages = await Promise.all(Array.from({ length: 60 }, (_, index) => open(readers[index % readers.length])));
    expect(pages.filter(({ from }) => from === 'HIT').length).toBeGreaterThan(30);
  });
  for (const [index, { headers, html }] of pages.entries()) {
    const { cookie, 'accept-encoding': encoding } = readers[index % readers.length] ?? {};
    expect(html).toContain(`<html lang="${cookie?.slice(-2)}">`);
    expect([headers.get('content-encoding') ?? 'identity', headers.getSetCookie()]).toEqual([encoding, []]);
  }
  const etag = pages[0]?.headers.get('etag') ?? '';
  expect((await open({ ...readers[0], 'if-none-match': etag })).status).toBe(304);
  const seen = await Promise.all(
    Array.from({ length: 10 }, async () => (await fetch(`${origin}/m/noura/seen`)).headers.getSetCookie().join()),
  );
  expect(new Set(seen).size).toBe(10);
});

test('what an owner takes back is gone from the cache within five seconds', async () => {
  expect((await open()).html).toContain('<title>Noura');
  profile = undefined;
  const value = UserUpdated.fromJSON({ userId: 1, username: 'noura', changesPublic: true });
  await bed.publish({ $case: 'userUpdated', value });
  await eventually(async () => expect((await bed.fetch('/m/noura')).status).toBe(404));
  const goneAt = performance.now();
  let shownAt = goneAt;
  await eventually(async () => {
    const askedAt = performance.now();
    const { status } = await open();
    if (status === 200) shownAt = askedAt;
    expect(status).toBe(404);
  });
  expect(shownAt - goneAt).toBeLessThan(5_000);
  expect((await open()).from).not.toBe('HIT');
});
