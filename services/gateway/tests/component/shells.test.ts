// Long run: a thousand requests to two gateways, and two more as processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import { freePort } from '@najwa/dev/processes/ports';
import { OPERATION_IDS, ROUTES } from '@najwa/proto/http/client';
import { eventually } from '@najwa/testing';
import { parse } from 'yaml';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import { rawRequest } from '../support/raw-request.js';

const SHELLS = ['express-gateway', 'plain'] as const;

let beds: GatewayBed[];
beforeAll(async () => {
  beds = await Promise.all(SHELLS.map((shell) => startGatewayBed({ GATEWAY_SHELL: shell })));
});
afterAll(() => Promise.all(beds.map((bed) => bed.stop())));

/** Every operation and path of the file, with several methods and in forms that routers may read differently. */
async function listRequests(): Promise<string[]> {
  const text = await readFile(new URL('../../gateway.config.yml', import.meta.url), 'utf8');
  const { apiEndpoints } = parse(text) as { apiEndpoints: Record<string, { paths: string[] }> };
  const paths = Object.values(apiEndpoints)
    .flatMap((endpoint) => endpoint.paths)
    .map((path) => path.replaceAll(/:\w+/g, 'layla').replace(/^\*/, '/help').replace('*', '7/x'));
  const operations = OPERATION_IDS.map((id) => `${ROUTES[id].method} ${ROUTES[id].path.replaceAll(/\{\w+\}/g, '7')}`);
  const others = [...new Set(paths)].flatMap((path) => [
    ...['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'OPTIONS', 'PROPFIND'].map((method) => `${method} ${path}`),
    ...['/', '//', '?a=1', '/more', '/%2e', '%2f', '%ff', '.png', '%0a', ';x'].map((tail) => `GET ${path}${tail}`),
    `GET ${path.toUpperCase()}`,
    `GET ${path.slice(0, path.lastIndexOf('/') + 1)}`,
    `GET http://najwa.example${path}`,
  ]);
  return [...new Set([...operations, ...others])];
}

/** The client's answers and the services' requests, without variable parts. */
async function answersOf({ origin, upstreams, signIn }: GatewayBed, requests: readonly string[]) {
  const { cookie } = signIn({ isAdmin: true }).headers;
  const answers = [];
  for (const request of requests) {
    const { head, body } = await rawRequest(
      origin,
      `${request} HTTP/1.1\r\nHost: najwa.example\r\nX-Requested-With: test\r\n` +
        // An event stream would not end.
        (/\/stream/i.test(request) ? '' : `Cookie: ${cookie}\r\n`) +
        'Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    );
    const seen = Object.entries(upstreams).flatMap(([name, upstream]) =>
      upstream.seen.splice(0).map(({ headers, ...rest }) => {
        const { host: _, 'x-request-id': __, [IDENTITY_HEADER]: identity, ...others } = headers;
        return { name, ...rest, isSigned: identity !== undefined, headers: others };
      }),
    );
    const kept = head.replaceAll(
      /^(x-request-id|date|set-cookie: (?:__Host-)?najwa_(?:visitor|session))\b.*$/gim,
      '$1',
    );
    answers.push({ request, head: kept, body, seen });
  }
  return answers;
}

test('both shells give the same answers, byte for byte, and pass on the same requests', async () => {
  const requests = await listRequests();
  const [vendor = [], plain = []] = await Promise.all(beds.map((bed) => answersOf(bed, requests)));
  expect(plain).toEqual(vendor);
  const reached = new Set(vendor.flatMap(({ seen }) => seen.map(({ name }) => name)));
  expect([...reached].sort()).toEqual(Object.keys(beds[0]?.upstreams ?? {}).sort());
});

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const HOOK = fileURLToPath(new URL('../support/loaded-packages.js', import.meta.url));
const START_MS = 60_000;

/** A new package is unreviewed code: see what it does, and whether a stub can replace it. */
const LOADED = `
  @colors/colors @dabh/diagnostics @noble/hashes @paralleldrive/cuid2 @so-ric/colorspace accepts ajv ajv-keywords
  ansi-styles anymatch array-flatten asap async async-function async-generator-function asynckit balanced-match
  binary-extensions body-parser brace-expansion braces bytes call-bind-apply-helpers call-bound chalk chokidar
  color-convert color-name combined-stream concat-map content-disposition content-type cookie cookie-signature
  cookiejar debug delayed-stream depd destroy dezalgo dunder-proto ee-first enabled encodeurl es-define-property
  es-errors es-object-atoms es-set-tostringtag escape-html escape-string-regexp esprima etag express express-gateway
  fast-deep-equal fast-json-stable-stringify fast-safe-stringify fecha fill-range finalhandler fn.name form-data
  formidable forwarded fresh function-bind generator-function get-intrinsic get-proto glob-parent gopd has-flag
  has-symbols has-tostringtag hasown http-errors iconv-lite inherits ipaddr.js is-binary-path is-extglob is-glob
  is-number is-stream js-yaml json-schema-traverse kuler lodash.flatmap logform math-intrinsics media-typer
  merge-descriptors methods mime mime-db mime-types minimatch ms negotiator normalize-path object-inspect on-finished
  once one-time parent-require parseurl passport passport-strategy path-to-regexp pause picomatch proxy-addr qs
  range-parser raw-body readable-stream readdirp safe-buffer safe-stable-stringify safer-buffer semver send
  serve-static setprototypeof side-channel side-channel-list side-channel-map side-channel-weakmap stack-trace
  statuses superagent supports-color to-regex-range toidentifier triple-beam type-is unpipe uri-js util-deprecate
  utils-merge vary vhost winston winston-transport wrappy
`;

/** Packages that Express Gateway loads to answer one request. */
async function packagesIn(shell: string): Promise<string[]> {
  const port = await freePort();
  const gateway = spawn(process.execPath, ['--import', HOOK, MAIN], {
    env: { ...beds[0]?.environment, GATEWAY_SHELL: shell, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(gateway.stdout);
  const ended = once(gateway, 'exit');
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  await eventually(async () => expect(await get('/health/ready')).toBe(200), START_MS);
  expect([await get('/'), await get('/api/auth-status')]).toEqual([200, 200]);
  gateway.kill('SIGTERM');
  await ended;
  return JSON.parse(await output) as string[];
}

test(
  'Express Gateway loads these packages and no others, and none in the plain shell',
  async () => {
    expect(await packagesIn('express-gateway')).toEqual(LOADED.trim().split(/\s+/));
    expect(await packagesIn('plain')).toEqual([]);
  },
  2 * START_MS,
);
