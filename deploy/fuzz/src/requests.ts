import { connect } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { ROUTES, type Role, type Route } from '@najwa/proto/http/client';
import type { TestSystem } from '@najwa/testing';
import { call, type CallToMake } from './call.js';
import { PATIENCE_MS, type Judge } from './judge.js';
import { headersOf, newPerson, type Person } from './people.js';
import { mutate, type Random } from './random.js';

const ROUTE_LIST: readonly Route[] = Object.values(ROUTES);
const FORMS = ROUTE_LIST.flatMap((route) => ('file' in route.body ? [{ ...route, file: route.body.file }] : []));
/** Calls of each kind at the same time. */
const AT_ONCE = sizes({ full: { calls: 12, forms: 12, held: 3 }, smoke: { calls: 2, forms: 2, held: 1 } });
/** Larger ones take long, and show nothing that smaller ones do not. */
const MAX_SAMPLE_BYTES = 400_000;

const PATH_VALUES = [
  '0',
  '-1',
  '1e309',
  '99999999999999999999',
  '%D9%A3',
  '%00',
  '%2e%2e%2f',
  '%FF',
  'null',
  '{}',
  "'",
  '%',
];
const QUERY_VALUES = [
  '',
  '-1',
  '0',
  '1e999',
  'NaN',
  '%00',
  '%FF',
  '[]',
  '%D9%A3',
  'a'.repeat(3_000),
  '%F0%9F%98%80',
  '$gt',
];
const QUERY_NAMES = [
  'limit',
  'cursor',
  'before',
  'sort',
  'search',
  'folder',
  'userId',
  '__proto__',
  'limit[$gt]',
  '%00',
];
const BODIES: readonly (string | Buffer)[] = [
  '',
  'null',
  '[]',
  '0',
  '"text"',
  '{',
  '{}',
  '{"a":1}}',
  '\ufeff{}',
  '{"content":"\\ud800","userId":1}',
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
  '{"userId":{"$gt":0},"content":{"$where":"sleep(1)"},"username":{"$ne":null},"password":{"$ne":null}}',
  '{"userId":1e309,"content":"a","messageId":-0,"ids":[1e400],"code":1}',
  `{"userId":1,"content":"${'\\u0000'.repeat(50)}"}`,
  `{"content":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  `{"content":"${'ا'.repeat(30_000)}"}`,
  `{"ids":[${'1,'.repeat(5_000)}1]}`,
  `{${Array.from({ length: 3_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  `{"content":"${'a'.repeat(2_000_000)}"}`,
  '{"userId":1,"userId":2,"content":"a","content":null}',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  gzipSync('{}'),
];
const TYPES = [
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'application/json; charset=x',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json, text/html',
  '',
];

/** A call that no client of ours would make. */
function strangeCall(person: Person, { pick, below, bytes }: Random): CallToMake {
  const { method, path: template, body } = pick(ROUTE_LIST);
  const real = String(pick([person.messageId, person.userId]));
  const filled = template.replace(/\{[^}]+\}/g, () => pick([real, ...PATH_VALUES]));
  const pairs = Array.from({ length: below(4) }, () => `${pick(QUERY_NAMES)}=${pick(QUERY_VALUES)}`);
  const strange = pick<Buffer | string>([...BODIES, bytes(below(400))]);
  const headers: Record<string, string> = {};
  if (body.kind !== 'none' || below(10) === 0) headers['content-type'] = pick(TYPES);
  if (below(20) === 0) headers['content-encoding'] = pick(['gzip', 'br', 'deflate', 'x']);
  if (below(20) === 0) headers['idempotency-key'] = pick(['', 'a'.repeat(5_000), 'é', '{"$gt":""}']);
  if (below(20) === 0) headers['accept-language'] = pick(['*', 'ar;q=9e99', ','.repeat(2_000)]);
  if (below(20) === 0) headers['range'] = pick(['bytes=0-', 'bytes=9-1', `bytes=${'0-1,'.repeat(900)}`, 'x']);
  if (below(20) === 0) headers['if-none-match'] = pick(['*', '"', 'W/'.repeat(500)]);
  return {
    method: below(20) === 0 ? pick(['PUT', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']) : method,
    path: pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`,
    headers,
    ...(headers['content-type'] !== undefined && { body: Buffer.from(strange) }),
  };
}

interface Part {
  name: string;
  file?: { name: string; type: string };
  content: Buffer;
}

function encodeForm(parts: readonly Part[], boundary: string, { below, pick }: Random): Buffer {
  const encoded = parts.flatMap(({ name, file, content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file.name}"` : ''}\r\n` +
        `${file ? `Content-Type: ${file.type}\r\n` : ''}\r\n`,
    ),
    content,
    Buffer.from('\r\n'),
  ]);
  const whole = Buffer.concat([...encoded, Buffer.from(`--${boundary}--\r\n`)]);
  return below(6) === 0
    ? whole.subarray(0, below(whole.length))
    : below(12) === 0
      ? pick([Buffer.alloc(0), whole.subarray(4)])
      : whole;
}

/** A form or, for pictures, JSON with a data URL, whose file is a changed sample. */
function fileCall(person: Person, samples: ReadonlyMap<string, Buffer>, random: Random): CallToMake {
  const { pick, below, bytes } = random;
  const { method, path: target, file } = pick(FORMS);
  const content = mutate(pick([...samples.values()]), random);
  const fields: Record<string, string> = { userId: String(person.userId) };
  if (target === '/api/messages') fields['content'] = 'رسالة';
  if (target.startsWith('/api/audio')) fields['voiceType'] = pick(['male', 'female', 'other']);
  if (target === '/api/audio/preview') fields['isPreview'] = 'true';
  if (target === '/api/audio/upload' && below(2) === 0) fields['isAltered'] = pick(['true', 'true', 'no']);
  if (!/^\/api\/(messages|audio\/upload)$/.test(target)) delete fields['userId'];
  if ('field' in file && typeof file.field === 'string' && below(4) === 0) {
    const url = `data:image/${pick(['png', 'svg+xml', 'x'])};base64,${content.toString(pick(['base64', 'base64', 'hex', 'latin1']))}`;
    const body = { ...fields, ...(fields['userId'] && { userId: person.userId }), [file.field]: url };
    return {
      method,
      path: target,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    };
  }
  const parts: Part[] = Object.entries(fields).map(([name, value]) => ({ name, content: Buffer.from(value) }));
  const name = pick([
    file.part,
    file.part,
    file.part,
    file.part,
    'image',
    'audio',
    '',
    '__proto__',
    'a'.repeat(20_000),
  ]);
  const type = pick(['image/png', 'audio/webm', 'text/html', 'image/svg+xml', 'x', '*/*']);
  parts.push({ name, file: { name: pick(['a.png', '../../etc/passwd', '\0', 'ص.webm', '']), type }, content });
  if (below(6) === 0) parts.push(...parts);
  if (below(6) === 0)
    parts.push({ name: pick(['content', 'extra', '$set', 'promptId']), content: bytes(below(2_000)) });
  if (below(6) === 0) parts.reverse();
  if (below(40) === 0)
    for (let count = 0; count < 300; count += 1) parts.push({ name: `f${count}`, content: bytes(1) });
  const boundary = 'najwa-boundary';
  const named = pick([boundary, boundary, boundary, boundary, boundary, 'other', '', 'b'.repeat(300), '"']);
  return {
    method,
    path: target,
    headers: { 'content-type': `multipart/form-data; boundary=${named}` },
    body: encodeForm(parts, boundary, random),
  };
}

/** A body that is announced and never finished must not keep its place. */
async function holdBody(system: TestSystem, person: Person, { judge, random }: { judge: Judge; random: Random }) {
  const { method, path: target } = random.pick(FORMS);
  const { hostname, port } = new URL(system.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const begun = performance.now();
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const headers = { ...headersOf(person, system), host: `${hostname}:${port}`, 'content-length': '100000' };
  const lines = Object.entries({ ...headers, 'content-type': 'multipart/form-data; boundary=b' });
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
  socket.write(random.pick(['', '--b\r\n', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx']));
  const deadline = setTimeout(() => {
    judge.fault(`${method} ${target}: a held body keeps its connection for more than ${PATIENCE_MS / 1000} seconds`);
    socket.destroy();
  }, PATIENCE_MS);
  await once(socket, 'close');
  clearTimeout(deadline);
  const [, status = 'closed'] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
  judge.count('held bodies', `${method} ${target} (held)`, status);
  const seconds = (performance.now() - begun) / 1000;
  if (status.startsWith('5') || status.startsWith('2'))
    judge.fault(
      `${method} ${target}: a held body is answered ${status}`,
      `${seconds.toFixed(1)} s: ${text.slice(-200)}`,
    );
}

export interface RequestsOptions {
  system: TestSystem;
  judge: Judge;
  random: Random;
  until: number;
  signal: AbortSignal;
}

const ROLES: readonly Role[] = ['visitor', 'user', 'moderator', 'admin'];

async function readSamples(): Promise<Map<string, Buffer>> {
  const folder = inCheckout('services/media/tests/samples');
  const names = (await readdir(folder)).filter((name) => name !== 'README.md');
  const samples = await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(folder, name))] as const),
  );
  return new Map(samples.filter(([, { length }]) => length <= MAX_SAMPLE_BYTES));
}

/** Strange calls and files, many at once, until the time is over. At least one of each kind. */
export async function sendRequests({ system, judge, random, until, signal }: RequestsOptions): Promise<void> {
  const samples = await readSamples();
  const people = new Map(await Promise.all(ROLES.map(async (role) => [role, await newPerson(system, role)] as const)));
  const mayContinue = (): boolean => performance.now() < until && !signal.aborted;
  const send = async (kind: string, make: (person: Person) => CallToMake): Promise<void> => {
    do {
      const role = random.pick(ROLES);
      const person = people.get(role);
      if (person === undefined) continue;
      const { headers, ...toMake } = make(person);
      try {
        const answered = await call(system.url, { ...toMake, headers: { ...headersOf(person, system), ...headers } });
        if (answered === undefined) judge.count(kind, `${toMake.method} ${toMake.path.split('?')[0]}`, 'closed');
        else {
          judge.answer(kind, answered);
          if (answered.status === 401 && person.cookie !== undefined && people.get(role) === person)
            people.set(role, await newPerson(system, role));
        }
      } catch (error) {
        judge.fault((error as Error).message, JSON.stringify(toMake.path.slice(0, 300)));
      }
    } while (mayContinue());
  };
  const hold = async (): Promise<void> => {
    do {
      const person = people.get(random.pick(ROLES));
      if (person) await holdBody(system, person, { judge, random });
    } while (mayContinue());
  };
  await Promise.all([
    ...Array.from({ length: AT_ONCE.calls }, () => send('strange calls', (person) => strangeCall(person, random))),
    ...Array.from({ length: AT_ONCE.forms }, () =>
      send('forms and files', (person) => fileCall(person, samples, random)),
    ),
    ...Array.from({ length: AT_ONCE.held }, hold),
  ]);
}
