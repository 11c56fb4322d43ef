// Long run: a thousand requests to two gateways.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import { OPERATION_IDS, ROUTES } from '@najwa/proto/http/client';
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
  for (const { clock } of beds) clock.stop();
  const [vendor = [], plain = []] = await Promise.all(beds.map((bed) => answersOf(bed, requests)));
  expect(plain).toEqual(vendor);
  const reached = new Set(vendor.flatMap(({ seen }) => seen.map(({ name }) => name)));
  expect([...reached].sort()).toEqual(Object.keys(beds[0]?.upstreams ?? {}).sort());
});
