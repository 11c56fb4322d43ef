import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ASSET_CACHE_CONTROL, PAGE_CACHE_CONTROL, PAGE_HEADERS, SECRET_PAGE_HEADERS } from './page-headers.js';

const nginxFile = (name: string): Promise<string> => readFile(path.resolve('web/nginx', name), 'utf8');

describe('the nginx of the web image', () => {
  // Threat model: gateway-13.
  test.each([
    ['page-headers.conf', PAGE_HEADERS],
    ['secret-page-headers.conf', SECRET_PAGE_HEADERS],
  ])('nginx sends the same security headers as the other servers: %s', async (file, headers) => {
    const lines = Object.entries(headers).map(([name, value]) => `add_header ${name} "${value}" always;\n`);
    expect(await nginxFile(file)).toBe(lines.join(''));
  });

  // Threat model: logs-2.
  test('nginx sends headers of a secret address under /r/, forbids storing, and logs no request', async () => {
    const configuration = await nginxFile('default.conf');
    const [, location = ''] = /location \^~ \/r\/ \{(.*?)\n {4}\}/s.exec(configuration) ?? [];
    expect(location).toContain('include /etc/nginx/secret-page-headers.conf;');
    expect(location).toContain('add_header Cache-Control "no-store" always;');
    const logs = [...configuration.matchAll(/^\s*(?:access|error)_log .*/gm)].map(([line]) => line.trim());
    expect(logs).toEqual(['access_log off;', 'error_log stderr emerg;']);
  });

  test('nginx sends the same caching headers', async () => {
    const values = [...(await nginxFile('default.conf')).matchAll(/add_header Cache-Control "([^"]+)"/g)];
    expect(new Set(values.map(([, value]) => value))).toEqual(
      new Set([PAGE_CACHE_CONTROL, ASSET_CACHE_CONTROL, 'no-store']),
    );
  });
});
