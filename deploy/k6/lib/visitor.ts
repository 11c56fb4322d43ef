import { fail, sleep } from 'k6';
import { sha256 } from 'k6/crypto';
import encoding from 'k6/encoding';
import http, { type FileData, type RefinedResponse } from 'k6/http';
import { SETTINGS } from './settings.ts';

/** An answer of the deployment. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Text of the answer. Empty if it was requested as bytes. */
  text: string;
  bytes: Uint8Array;
  /** The parsed body. Undefined unless it is JSON. */
  json: unknown;
  /** Error code of a refusal. */
  code: string | undefined;
}

export interface RequestOptions {
  body?: unknown;
  /** A multipart form. */
  form?: Record<string, string | FileData>;
  headers?: Record<string, string>;
  /** Name of the request in the metrics. The path by default, so pass one where the path contains an id. */
  name?: string;
  /** Statuses that do not count as failed. Successes and redirects by default. */
  expected?: readonly number[];
  /** Reads the answer as bytes. */
  isBinary?: boolean;
}

/** A person with a browser and an address of their own. */
export interface Visitor {
  request(method: string, path: string, options?: RequestOptions): Answer;
  /** Value of the Cookie header. */
  cookie(): string;
}

const random = (below: number): number => Math.floor(Math.random() * below);

/** An address of the range for benchmarks (RFC 2544). Counts only if the deployment trusts this machine as a proxy. */
const randomAddress = (): string => `198.${18 + random(2)}.${random(256)}.${1 + random(254)}`;

export const randomText = (bytes: number): string =>
  encoding.b64encode(Uint8Array.from({ length: bytes }, () => random(256)).buffer, 'rawurl');

const BROWSERS = [
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
];

/** Reads a JSON body. Undefined if it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const hasCode = (value: unknown): value is { code: string } =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string';

function answerFrom(response: RefinedResponse<'text' | 'binary'>): Answer {
  const { body } = response;
  const text = typeof body === 'string' ? body : '';
  // The keys of `headers` are in canonical form, such as Content-Type.
  const isJson = (response.headers['Content-Type'] ?? '').startsWith('application/json');
  const json = isJson ? parse(text) : undefined;
  return {
    status: response.status,
    headers: response.headers,
    text,
    bytes: body instanceof ArrayBuffer ? new Uint8Array(body) : new Uint8Array(),
    json,
    code: hasCode(json) ? json.code : undefined,
  };
}

/** True if a hexadecimal hash begins with so many zero bits. */
function hasZeroBits(hash: string, bits: number): boolean {
  const whole = Math.floor(bits / 4);
  return hash.startsWith('0'.repeat(whole)) && Number.parseInt(hash[whole] ?? '', 16) < 2 ** (4 - (bits % 4));
}

/** Solves the proof of work that a deployment asks for beyond a limit, as the web client does. */
function solveProof({ challenge, bits }: { challenge: string; bits: number }): string {
  for (let counter = 0; ; counter += 1) {
    const proof = `${challenge}.${counter}`;
    if (hasZeroBits(sha256(proof, 'hex'), bits)) return proof;
  }
}

const proofOf = ({ json }: Answer): { challenge: string; bits: number } | undefined =>
  (json as { proof?: { challenge: string; bits: number } } | undefined)?.proof;

/** @param cookie of an earlier visitor, to go on as the same person */
export function createVisitor(cookie = ''): Visitor {
  const cookies = new Map(
    cookie
      .split('; ')
      .filter((pair) => pair !== '')
      .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const address = randomAddress();
  const browser = BROWSERS[random(BROWSERS.length)] ?? '';
  const cookieHeader = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  const send = (method: string, path: string, options: RequestOptions): Answer => {
    const { body, form, headers = {}, name = `${method} ${path}`, expected, isBinary = false } = options;
    const content = body === undefined ? (form ?? null) : JSON.stringify(body);
    const origin = SETTINGS.addresses[random(SETTINGS.addresses.length)] ?? '';
    const response = http.request(method, `${origin}${path}`, content, {
      headers: {
        'User-Agent': browser,
        'Accept-Language': 'ar,en;q=0.8',
        'X-Forwarded-For': address,
        ...(method !== 'GET' && { Origin: origin, 'X-Requested-With': 'XMLHttpRequest' }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(cookies.size > 0 && { Cookie: cookieHeader() }),
        ...headers,
      },
      tags: { name },
      redirects: 0,
      responseType: isBinary ? 'binary' : 'text',
      // Cookies are set by hand: k6 would not return a Secure one over plain HTTP, as to a cluster's node.
      jar: new http.CookieJar(),
      timeout: '60s',
      // A limit may ask for a proof of work first. Scenarios check that the request succeeds in the end.
      responseCallback: http.expectedStatuses(...(expected ?? [{ min: 200, max: 399 }, 429])),
    });
    for (const [key, [set]] of Object.entries(response.cookies)) if (set) cookies.set(key, set.value);
    return answerFrom(response);
  };

  return {
    cookie: cookieHeader,
    request(method, path, options = {}) {
      const answer = send(method, path, options);
      const proof = answer.code === 'proof_required' ? proofOf(answer) : undefined;
      if (proof === undefined) return answer;
      return send(method, path, { ...options, headers: { ...options.headers, 'Proof-Of-Work': solveProof(proof) } });
    },
  };
}

/** Repeats a read until it satisfies the condition, for effects that the product promises within seconds. */
export function readUntil(read: () => Answer, isDone: (answer: Answer) => boolean, seconds: number): Answer {
  for (let waited = 0; ; waited += 0.25) {
    const answer = read();
    if (isDone(answer) || waited >= seconds) return answer;
    sleep(0.25);
  }
}

/** Ends the whole run if the deployment refuses what the scenarios need. */
export function mustPrepare(what: string, { status, code }: Answer): void {
  if (status >= 200 && status < 300) return;
  if (status === 0) fail(`Nothing answers at ${SETTINGS.addresses.join(' or ')}.`);
  const hint =
    code === 'too_many_requests'
      ? ' A rate limit refused it. deploy/k6/README.md says how to run beyond the limits.'
      : '';
  fail(`${what} failed with status ${status}${code === undefined ? '' : ` (${code})`}.${hint}`);
}
