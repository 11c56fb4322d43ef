// Plants changes in a copy of the contracts: `npm run contracts:compare` must report exactly those that break.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareContracts, describe } from '../../proto/scripts/compare.js';
import { inCheckout, Unavailable } from '../dev/src/bootstrap/environment.js';

const AUTH = 'najwa/auth/v1/auth.proto';
const EVENTS = 'najwa/events/v1/events.proto';
const HTTP = 'openapi.yaml';

/** One replacement each, and what is reported, null if harmless. They do not overlap. */
const PLANTED = [
  {
    name: 'a field of an event gets another number',
    file: EVENTS,
    from: /(int64 user_id = )1;/,
    to: '$19;',
    found: /events\.proto.*"1"/,
  },
  {
    name: 'a field of an event is renamed, which its stored JSON shows',
    file: EVENTS,
    from: /int64 user_id = 1;/,
    to: 'int64 account_id = 1;',
    found: /account_?id/i,
  },
  {
    name: 'a gRPC method goes away',
    file: AUTH,
    from: /\n {2}rpc CreateAdmin[^\n]*\n/,
    to: '\n',
    found: /auth\.proto.*"CreateAdmin"/,
  },
  {
    name: 'a gRPC message gets a new field',
    file: AUTH,
    from: /(message CreateAdminRequest \{\n)/,
    to: '$1  string invited_by = 99;\n',
    found: null,
  },
  {
    name: 'a field of an answer goes away',
    file: HTTP,
    from: /( {8}visitorCount:\n {10}type: integer\n {10}minimum: 0\n)([^]*?) {8}- visitorCount\n/,
    to: '$2',
    found: /GET \/api\/users\/\{username\}.*"visitorCount"/,
  },
  {
    name: 'a body needs a new field',
    file: HTTP,
    from: /( {4}NewReply:\n {6}type: object\n {6}properties:\n)([^]*?)( {6}required:\n)/,
    to: '$1        mood:\n          type: string\n$2$3        - mood\n',
    found: /POST \/api\/replies.*"mood"/,
  },
  {
    name: 'a body may have a new field',
    file: HTTP,
    from: /( {4}NewReply:\n {6}type: object\n {6}properties:\n)/,
    to: '$1        mood:\n          type: string\n',
    found: null,
  },
  {
    name: 'an answer has a new field',
    file: HTTP,
    from: /( {4}PublicUser:\n {6}type: object\n {6}properties:\n)/,
    to: '$1        pronouns:\n          type: string\n',
    found: null,
  },
];

const before = inCheckout('proto');
const folder = await mkdtemp(path.join(tmpdir(), 'najwa-planted-'));

/** All changes in one copy, since each comparison reads all contracts twice. */
async function findingsWith(planted) {
  const after = path.join(folder, 'proto');
  await rm(after, { recursive: true, force: true });
  for (const part of ['najwa', 'buf.yaml', HTTP])
    await cp(path.join(before, part), path.join(after, part), { recursive: true });
  for (const { name, file, from, to } of planted) {
    const content = await readFile(path.join(after, file), 'utf8');
    assert.match(content, from, `The text to change is not there any more: ${name}.`);
    await writeFile(path.join(after, file), content.replace(from, to));
  }
  return compareContracts(before, after);
}

try {
  const breaking = PLANTED.filter(({ found }) => found !== null);
  const findings = await findingsWith(breaking);
  for (const { name, found } of breaking) {
    const reported = findings.filter((finding) => found.test(describe([finding])));
    assert.ok(
      reported.some(({ surely }) => surely),
      `Breaking, but not reported: ${name}.`,
    );
  }
  assert.equal(
    describe(await findingsWith(PLANTED.filter(({ found }) => found === null))),
    '',
    'Harmless, but reported.',
  );
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  console.log(`Not checked: ${error.message}.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
