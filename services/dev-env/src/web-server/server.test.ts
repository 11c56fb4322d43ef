import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWebServer, type WebServer } from './server.js';

const PAGE = '<!doctype html><title>page</title>';

describe('the web server', () => {
  let root = '';
  let server: WebServer;
  const get = (pathname: string, init?: RequestInit): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${pathname}`, init);

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
    await mkdir(path.join(root, 'assets'));
    await writeFile(path.join(root, 'index.html'), PAGE);
    await writeFile(path.join(root, 'assets/index-abc123.js'), 'export {};');
    server = await startWebServer({ host: '127.0.0.1', port: 0, root });
  });
  afterAll(async () => {
    await server.close();
    await rm(root, { recursive: true });
  });

  test.each(['/', '/m/noura', '/m/john.q.public', '/m/a%2Fb', '/settings?x=1.png'])(
    'answers %s with the page, which is revalidated each time',
    async (pathname) => {
      const response = await get(pathname);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toBe(PAGE);
    },
  );

  test('lets hashed files be cached for a year', async () => {
    const response = await get('/assets/index-abc123.js');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe('export {};');
  });

  test('answers a missing file with 404, not with the page', async () => {
    const response = await get('/assets/index-gone.js');
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBeNull();
  });

  test.each(['/', '/assets/index-abc123.js', '/missing.js'])('sends the security headers with %s', async (pathname) => {
    const { headers } = await get(pathname);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'; img-src 'self' data: blob:");
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
