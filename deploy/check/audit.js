// npm run audit: lists known vulnerabilities of installed versions. `-- --advisories PATH` reads them from OSV files.
// Exits with 1 if one is high or critical, with 2 if nothing could be checked.
import { spawnSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { inCheckout } from '../dev/src/bootstrap/environment.js';

function askRegistry() {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: inCheckout(), encoding: 'utf8' });
  let answer = {};
  try {
    answer = JSON.parse(stdout);
  } catch {
    // Answered below.
  }
  const { vulnerabilities, metadata, statusCode, message } = answer;
  const reason = statusCode ? `it answered ${statusCode}` : (message ?? 'npm gave no answer');
  if (!vulnerabilities)
    throw new Error(
      `the registry gives no advisories (${reason}).` +
        ' Download them, and name the file: npm run audit -- --advisories FILE',
    );
  const found = Object.values(vulnerabilities).map(({ name, severity, range, isDirect, fixAvailable }) => ({
    severity,
    name: [name, range].filter(Boolean).join(' '),
    note: `${isDirect ? ', direct' : ''}${fixAvailable ? ', has a fix' : ''}`,
  }));
  return { found, packages: metadata.dependencies.total, source: 'the registry' };
}

/** By the rules of semver.org: 1.0.0-rc.1 comes before 1.0.0. */
function compareVersions(one, other) {
  const [a, b] = [one, other].map((version) => {
    const [core, ...pre] = version.split('+')[0].split('-');
    return { core: core.split('.').map(Number), pre: pre.join('-').split('.').filter(Boolean) };
  });
  for (let index = 0; index < 3; index += 1)
    if ((a.core[index] ?? 0) !== (b.core[index] ?? 0)) return (a.core[index] ?? 0) - (b.core[index] ?? 0);
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let index = 0; index < Math.max(a.pre.length, b.pre.length); index += 1) {
    const [x, y] = [a.pre[index], b.pre[index]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    if (x !== y) return /^\d+$/.test(x) && /^\d+$/.test(y) ? x - y : x < y ? -1 : 1;
  }
  return 0;
}

const isInRange = (version, { type, events }) =>
  type === 'SEMVER' &&
  events.reduce((isIn, { introduced, fixed, last_affected: last }) => {
    if (introduced !== undefined) return isIn || introduced === '0' || compareVersions(version, introduced) >= 0;
    return isIn && (fixed === undefined ? compareVersions(version, last) <= 0 : compareVersions(version, fixed) < 0);
  }, false);

/** Advisories of one file: one, a list, or an answer of OSV's API. */
async function readAdvisories(file) {
  if ((await stat(file)).isDirectory()) {
    const names = (await readdir(file)).filter((name) => name.endsWith('.json'));
    return (await Promise.all(names.map((name) => readAdvisories(path.join(file, name))))).flat();
  }
  const content = JSON.parse(await readFile(file, 'utf8'));
  const advisories = Array.isArray(content) ? content : (content.vulns ?? [content]);
  if (advisories.some(({ id, affected }) => !id || !Array.isArray(affected)))
    throw new Error(`${file} is not in OSV's format.`);
  return advisories;
}

async function readFromFile(file) {
  const advisories = (await readAdvisories(file)).filter(({ withdrawn }) => !withdrawn);
  const { packages } = JSON.parse(await readFile(inCheckout('package-lock.json'), 'utf8'));
  const installed = Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules/') && !link);
  const versions = new Map();
  for (const [place, { name = place.split('node_modules/').at(-1), version }] of installed)
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  const found = [];
  for (const { id, summary = '', affected, database_specific: { severity = 'unknown' } = {} } of advisories)
    for (const { package: { ecosystem, name } = {}, ranges = [], versions: listed = [] } of affected)
      for (const version of (ecosystem === 'npm' && versions.get(name)) || [])
        if (listed.includes(version) || ranges.some((range) => isInRange(version, range)))
          found.push({ severity: severity.toLowerCase(), name: `${name} ${version}`, note: `: ${id} ${summary}` });
  return { found, packages: installed.length, source: `${advisories.length} advisories` };
}

try {
  const { values } = parseArgs({ options: { advisories: { type: 'string' } } });
  const { found, packages, source } = values.advisories ? await readFromFile(values.advisories) : askRegistry();
  for (const { severity, name, note } of found) console.log(`${severity}: ${name}${note}`);
  console.log(`${packages} packages checked against ${source}, ${found.length} with known vulnerabilities.`);
  if (found.some(({ severity }) => ['high', 'critical', 'unknown'].includes(severity))) process.exitCode = 1;
} catch (error) {
  console.error(`Not checked: ${error.message}`);
  process.exitCode = 2;
}
