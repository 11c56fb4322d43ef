import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWebServer, type WebServer } from './server.js';

const PAGES = {
  'ar/index.html': 'home',
  'ar/auth.html': 'register',
  'ar/auth.login.html': 'log in',
  'ar/settings.html': 'settings',
  'ar/admin/create.html': 'create',
  'ar/m/_.html': 'account',
  'ar/r.html': 'sent from here',
  'ar/r/_.html': 'way back',
  'ar/404.html': 'not found',
  'en/index.html': 'home in English',
  'en/m/_.html': 'account in English',
  'en/404.html': 'not found in English',
};

describe('the web server', () => {
  let folder = '';
  let root = '';
  let server: WebServer;
  const get = (pathname: string, init?: RequestInit): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${pathname}`, init);

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
    root = path.join(folder, 'dist');
    await mkdir(path.join(root, 'assets'), { recursive: true });
    for (const [file, content] of Object.entries(PAGES)) {
      await mkdir(path.join(root, 'pages', path.dirname(file)), { recursive: true });
      await writeFile(path.join(root, 'pages', file), content);
    }
    await writeFile(path.join(root, 'assets/index-abc123.js'), 'export {};');
    await writeFile(path.join(root, 'sw.js'), '');
    await writeFile(path.join(root, 'manifest.webmanifest'), '{}');
    await writeFile(path.join(root, 'favicon.ico'), 'icon');
    server = await startWebServer({ host: '127.0.0.1', port: 0, root, copy: path.join(folder, 'copy') });
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  test.each([
    ['/', 'home'],
    ['/m/noura', 'account'],
    ['/m/john.q.public', 'account'],
    ['/m/a%2Fb', 'account'],
    ['/settings?x=1.png', 'settings'],
    ['/admin/create/', 'create'],
    ['/r', 'sent from here'],
    ['/auth?tab=other', 'register'],
    ['/auth?a=b&tab=login', 'log in'],
  ])('answers %s with its page, which is revalidated each time', async (pathname, page) => {
    const response = await get(pathname);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toBe(page);
  });

  test.each(['/r/AAAAAAAAAAAAAAAAAAAAAA', '/r/cut.short'])(
    'sends %s with the headers of a secret address',
    async (path) => {
      const response = await get(path);
      expect([response.status, await response.text()]).toEqual([200, 'way back']);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      });
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    },
  );

  test('answers in the language of the cookie', async () => {
    const cookie = (value: string) => ({ headers: { cookie: `a=b; language=${value}` } });
    expect(await (await get('/', cookie('en'))).text()).toBe('home in English');
    expect(await (await get('/m/noura', cookie('en'))).text()).toBe('account in English');
    expect(await (await get('/', cookie('english'))).text()).toBe('home');
  });

  test.each([
    '/no/such/page',
    '/m',
    '/pages/',
    '/pages/ar/index.html',
    '/pages/ar/settings',
    '/about.html',
    '/noura.ali',
  ])('answers %s with 404 and the page for it', async (pathname) => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const { headers } = await get(pathname, { headers: { accept } });
    const response = await get(pathname, { headers: { accept, 'if-none-match': headers.get('etag') ?? '' } });
    expect([response.status, await response.text()]).toEqual([404, 'not found']);
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  test('lets hashed files be cached for a year', async () => {
    const response = await get('/assets/index-abc123.js');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe('export {};');
  });

  test.each([
    ['/sw.js', /^text\/javascript/],
    ['/manifest.webmanifest', /^application\/manifest\+json/],
    ['/favicon.ico', /^image\/x-icon/],
  ])('sends %s with its type, and lets it be revalidated each time', async (pathname, type) => {
    const { headers } = await get(pathname);
    expect(headers.get('content-type')).toMatch(type);
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  test('goes on with its client while another one is built', async () => {
    const file = path.join(root, 'pages/en/index.html');
    await writeFile(file, 'a longer home page of the next build');
    const response = await get('/', { headers: { cookie: 'language=en' } });
    expect(await response.text()).toBe('home in English');
    await writeFile(file, PAGES['en/index.html']);
  });

  test('keeps the hashed files of the build before, over restarts, until there is another build', async () => {
    const site = path.join(folder, 'site');
    const statuses = async (build: string, files: string[]) => {
      await rm(site, { recursive: true, force: true });
      await mkdir(path.join(site, 'assets'), { recursive: true });
      await writeFile(path.join(site, `assets/part-${build}.js`), build);
      await writeFile(path.join(site, `page-${build}.txt`), build);
      const started = await startWebServer({ host: '127.0.0.1', port: 0, root: site, copy: path.join(folder, 'kept') });
      const answers = await Promise.all(files.map((file) => fetch(`http://127.0.0.1:${started.port}${file}`)));
      await started.close();
      return answers.map(({ status }) => status);
    };
    expect(await statuses('one', ['/assets/part-one.js'])).toEqual([200]);
    expect(await statuses('two', ['/assets/part-one.js', '/assets/part-two.js', '/page-one.txt'])).toEqual([
      200, 200, 404,
    ]);
    expect(await statuses('two', ['/assets/part-one.js', '/assets/part-two.js'])).toEqual([200, 200]);
    expect(await statuses('three', ['/assets/part-one.js', '/assets/part-two.js'])).toEqual([404, 200]);
  });

  test.each([
    ['/assets/index-gone.js', 'text/html'],
    ['/apple-touch-icon-precomposed.png', '*/*'],
    ['/icons/16.png', 'image/avif,image/webp,*/*;q=0.8'],
    ['/index.html.br', '*/*'],
  ])('answers %s, a missing file, with a short 404', async (pathname, accept) => {
    const response = await get(pathname, { headers: { accept } });
    expect([response.status, await response.text()]).toEqual([404, 'Not found.\n']);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(response.headers.get('cache-control')).toBeNull();
  });

  // Threat model: sender-16.
  test.each(['/', '/assets/index-abc123.js', '/missing.js'])('sends the security headers with %s', async (pathname) => {
    const { headers } = await get(pathname);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'; script-src 'self' 'sha256-");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('permissions-policy')).toContain('microphone=(self)');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  test('reports that it is ready', async () => {
    expect((await get('/health/ready')).status).toBe(200);
  });

  test('refuses methods that write', async () => {
    expect((await get('/', { method: 'POST', body: 'x' })).status).toBe(405);
  });
});
