// Long run: it starts two gateways as processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@najwa/dev/processes/ports';
import { eventually } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';

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

let bed: GatewayBed;
beforeAll(async () => {
  bed = await startGatewayBed();
});
afterAll(() => bed.stop());

/** Packages that Express Gateway loads to answer one request. */
async function packagesIn(shell: string): Promise<string[]> {
  const port = await freePort();
  const gateway = spawn(process.execPath, ['--import', HOOK, MAIN], {
    env: { ...bed.environment, GATEWAY_SHELL: shell, PORT: String(port) },
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
