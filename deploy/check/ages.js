// npm run ages: lists the age of the installed version of each direct dependency, by the registry, oldest first.
// A mirror may give the days on which it copied a version. Exits with 2 if the registry does not answer.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inCheckout } from '../dev/src/bootstrap/environment.js';

const AT_ONCE = 8;
const DAY_MS = 24 * 60 * 60 * 1000;
const run = promisify(execFile);

const images = JSON.parse(await readFile(inCheckout('deploy/images/external.json'), 'utf8'));
for (const [image, { tag, until, next }] of Object.entries(images)) {
  const isOver = until !== undefined && Date.parse(until) < Date.now();
  if (!isOver && next === undefined) continue;
  const over = isOver ? `, without support since ${until}` : '';
  console.log(`      image  ${image}:${tag}${over}${next === undefined ? '' : `, go to ${next}`}`);
}

const { packages } = JSON.parse(await readFile(inCheckout('package-lock.json'), 'utf8'));
const named = Object.entries(packages)
  .filter(([folder]) => !folder.includes('node_modules/'))
  .flatMap(([folder, { dependencies, devDependencies }]) =>
    Object.keys({ ...dependencies, ...devDependencies }).map((name) => {
      const own = packages[`${folder}/node_modules/${name}`];
      return { name, ...(own ?? packages[`node_modules/${name}`]) };
    }),
  )
  .filter(({ version, link }) => version !== undefined && !link);
const installed = new Map(named.map(({ name, version }) => [`${name}@${version}`, { name, version }]));

async function ageOf({ name, version }) {
  const { stdout } = await run('npm', ['view', name, 'time', 'dist-tags', '--json']);
  const { time, 'dist-tags': tags } = JSON.parse(stdout);
  const days = Math.floor((Date.now() - Date.parse(time[version])) / DAY_MS);
  return { name, version, days, latest: tags.latest };
}

try {
  const ages = [];
  const all = [...installed.values()];
  for (let from = 0; from < all.length; from += AT_ONCE)
    ages.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(ageOf))));
  for (const { name, version, days, latest } of ages.sort((a, b) => b.days - a.days))
    console.log(
      `${String(days).padStart(5)} days  ${name} ${version}${latest === version ? '' : `, latest ${latest}`}`,
    );
} catch ({ code = 'no answer' }) {
  console.error(`Nothing was found out: npm cannot ask the registry (${code}).`);
  process.exitCode = 2;
}
