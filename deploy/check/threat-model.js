// Part of npm test: each claim of docs/threat-model.md names a test or says why not, and each connection is listed.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { checkoutRoot, inCheckout } from '../dev/src/bootstrap/environment.js';
import { ARROWS } from '../cluster/dist/arrows.js';

/** Claims that no test of ours can hold, such as those about the work of others. */
const MAX_UNTESTED = 4;

/** Followed by the ids of the claims that the test below holds. */
const MARK = '// Threat model: ';

/** A test, a check, or a named scene or step. */
const TEST = /\b(test|describe|expect)\b|^(name|scene): |^'[^']+': /;

const DOCUMENT = 'docs/threat-model.md';
const faults = [];
const text = await readFile(inCheckout(DOCUMENT), 'utf8');

/** A list item, up to the next, an empty line or a heading. */
const claims = new Map();
for (const part of text.split(/^- /m).slice(1)) {
  const claim = part.split(/\n\n|\n#/)[0];
  const id = /^`([a-z]+-\d+)` /.exec(claim)?.[1];
  if (id === undefined) faults.push(`${DOCUMENT}: "${claim.split('\n')[0]}" has no id, such as \`owner-1\``);
  else if (claims.has(id)) faults.push(`${DOCUMENT}: two claims are ${id}`);
  else claims.set(id, claim);
}

/** Number of tests by claim. */
const tested = new Map();
const search = ['grep', '-l', '--untracked', `^ *${MARK}`, '--', '*.ts', '*.tsx', '*.js'];
const { stdout } = await promisify(execFile)('git', search, { cwd: checkoutRoot });
for (const file of stdout.split('\n').filter(Boolean)) {
  const lines = (await readFile(inCheckout(file), 'utf8')).split('\n').map((line) => line.trim());
  lines.forEach((line, index) => {
    if (!line.startsWith(MARK)) return;
    const held = lines.slice(index).find((below) => !below.startsWith(MARK)) ?? '';
    if (!TEST.test(held)) faults.push(`${file}: "${line}" must stand above a test, not above "${held}"`);
    for (const id of line.slice(MARK.length).replace(/\.$/, '').split(', ')) {
      if (!claims.has(id)) faults.push(`${file}: ${DOCUMENT} has no claim ${id}`);
      tested.set(id, (tested.get(id) ?? 0) + 1);
    }
  });
}

const untested = [...claims].filter(([, claim]) => /^ {2}No test[.:]/m.test(claim));
if (untested.length > MAX_UNTESTED) faults.push(`${DOCUMENT}: ${untested.length} claims have no test`);
for (const [id] of untested) if (tested.has(id)) faults.push(`${DOCUMENT}: ${id} has a test, and says "No test"`);
for (const [id, claim] of claims)
  if (!tested.has(id) && !/^ {2}No(?:t defended\b| test[.:])/m.test(claim))
    faults.push(`${DOCUMENT}: ${id}: write "${MARK}${id}." above a test, or say "Not defended" or "No test"`);

const drawn = new Set([...text.matchAll(/`(\w+ → \w+:\d+)`/g)].map(([, arrow]) => arrow));
for (const arrow of ARROWS) if (!drawn.has(arrow)) faults.push(`${DOCUMENT}: the connection ${arrow} is missing`);
for (const arrow of drawn)
  if (!ARROWS.has(arrow)) faults.push(`${DOCUMENT}: the connection ${arrow} is not part of the design`);

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else {
  const tests = [...tested.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${claims.size} claims, held ${tests} times, ${untested.length} without a test, ${drawn.size} connections.`,
  );
}
