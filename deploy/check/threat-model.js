// Part of npm test: each claim of docs/threat-model.md names tests that exist, or says that it is not defended or that nothing tests
// it, and each connection of the design is there.
import { readFile } from 'node:fs/promises';
import { inCheckout } from '../../services/dev-env/src/bootstrap/environment.js';
import { ARROWS } from '../../services/dev-env/dist/cluster/arrows.js';

/** Claims that no test of ours can hold, such as those about the work of others. */
const MAX_UNTESTED = 8;

const faults = [];
const text = await readFile(inCheckout('docs/threat-model.md'), 'utf8');

/** A claim is a list item, up to the next one, an empty line or a heading. */
const claims = text
  .split(/^- /m)
  .slice(1)
  .map((part) => part.split(/\n\n|\n#/)[0]);

const sources = new Map();
async function readSource(name) {
  const file = /^(web|deploy)\//.test(name) ? name : `services/${name}`;
  if (!sources.has(file)) sources.set(file, await readFile(inCheckout(file), 'utf8').catch(() => undefined));
  return sources.get(file);
}

const isTitleIn = (source, title) => ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));

let tests = 0;
let untested = 0;
for (const claim of claims) {
  const start = claim.split('\n')[0];
  const named = [...claim.matchAll(/`([\w./-]+\.(?:tsx?|js))`: ("[^"]+"(?:, "[^"]+")*)/g)];
  const files = [...claim.matchAll(/`[\w./-]+\.(?:tsx?|js)`/g)];
  if (named.length !== files.length) faults.push(`"${start}": write each file as \`FILE\`: "TITLE", "TITLE"`);
  const isUntested = /^ {2}No test[.:]/m.test(claim);
  if (isUntested) untested += 1;
  else if (named.length === 0 && !/^ {2}Not defended\b/m.test(claim))
    faults.push(`"${start}": name a test, or say "Not defended" or "No test"`);
  for (const [, file, titles] of named) {
    const source = await readSource(file);
    if (source === undefined) faults.push(`"${start}": there is no ${file}`);
    else
      for (const [, title] of titles.matchAll(/"([^"]+)"/g)) {
        tests += 1;
        if (!isTitleIn(source, title)) faults.push(`"${start}": ${file} has no test "${title}"`);
      }
  }
}

if (untested > MAX_UNTESTED) faults.push(`${untested} claims have no test`);

const drawn = new Set([...text.matchAll(/`(\w+ → \w+:\d+)`/g)].map(([, arrow]) => arrow));
for (const arrow of ARROWS) if (!drawn.has(arrow)) faults.push(`the connection ${arrow} is missing`);
for (const arrow of drawn) if (!ARROWS.has(arrow)) faults.push(`the connection ${arrow} is not part of the design`);

for (const fault of faults) console.error(`docs/threat-model.md: ${fault}`);
if (faults.length > 0) process.exitCode = 1;
else
  console.log(
    `${claims.length} claims, ${tests} tests named, ${untested} claims without one, ${drawn.size} connections.`,
  );
