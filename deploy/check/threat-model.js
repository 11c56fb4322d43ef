// Part of npm test: each claim of docs/threat-model.md names tests that exist, or says that there is none, and each
// connection of the design is there.
import { readFile } from 'node:fs/promises';
import { inCheckout } from '../../services/dev-env/src/bootstrap/environment.js';
import { ARROWS } from '../../services/dev-env/dist/cluster/arrows.js';

const faults = [];
const text = await readFile(inCheckout('docs/threat-model.md'), 'utf8');

/** A claim is a list item, up to the next one, an empty line or a heading. */
const claims = text
  .split(/^- /m)
  .slice(1)
  .map((part) => part.split(/\n\n|\n#/)[0]);

const sources = new Map();
async function readSource(name) {
  const file = name.startsWith('web/') ? name : `services/${name}`;
  if (!sources.has(file)) sources.set(file, await readFile(inCheckout(file), 'utf8').catch(() => undefined));
  return sources.get(file);
}

const isTitleIn = (source, title) => ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));

let tests = 0;
for (const claim of claims) {
  const start = claim.split('\n')[0];
  const named = [...claim.matchAll(/`([\w./-]+\.tsx?)`: ("[^"]+"(?:, "[^"]+")*)/g)];
  const files = [...claim.matchAll(/`[\w./-]+\.tsx?`/g)];
  if (named.length !== files.length) faults.push(`"${start}": write each file as \`FILE\`: "TITLE", "TITLE"`);
  if (named.length === 0 && !/^ {2}No test[.:]/m.test(claim)) faults.push(`"${start}": name a test, or say "No test"`);
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

const drawn = new Set([...text.matchAll(/`(\w+ → \w+:\d+)`/g)].map(([, arrow]) => arrow));
for (const arrow of ARROWS) if (!drawn.has(arrow)) faults.push(`the connection ${arrow} is missing`);
for (const arrow of drawn) if (!ARROWS.has(arrow)) faults.push(`the connection ${arrow} is not part of the design`);

for (const fault of faults) console.error(`docs/threat-model.md: ${fault}`);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${claims.length} claims, ${tests} tests named, ${drawn.size} connections.`);
