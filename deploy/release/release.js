// npm run release -- 1.0.0: writes release/1.0.0 from a clean commit, and pushes its images to a registry. Needs REGISTRY, such as
// registry.example/najwa, and SIGNING_KEY, a file made by ssh-keygen. PLATFORMS are linux/amd64, separated by commas; what another
// one needs to be built here is Docker's. npm run release -- 1.0.0 --notes prints the notes alone, and needs none of these.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compareContracts, describe, listChanges } from '../../proto/scripts/compare.js';
import { inCheckout, isSetupError, SetupError, valueOf } from '../dev/src/bootstrap/environment.js';
import { buildImage, findImages, outputOf } from '../images/build.js';
import { composeFile, kubernetesFile, listImageContent, listNativeModules, readLicences } from './contents.js';

const NAMESPACE = 'najwa-release';

const git = (...args) => outputOf('git', args);
const read = (...names) => readFile(inCheckout(...names), 'utf8');
const say = (line) => process.stdout.write(`${line}\n`);

/** @throws {SetupError} if the changelog says nothing of the version */
async function readEntry(version) {
  const text = await read('CHANGELOG.md');
  const start = text.split(`\n## [${version}] - `)[1];
  const entry = start
    ?.split(/\n## \[/)[0]
    ?.replace(/^\S+\n/, '')
    .trim();
  if (!entry)
    throw new SetupError(`CHANGELOG.md has no entry of ${version}: "## [${version}] - DATE", and what changed.`);
  return entry;
}

/** The newest version before this one. */
async function findPrevious(version) {
  const tags = (await git('tag', '--list', 'v*', '--sort=-v:refname')).split('\n').filter(Boolean);
  return tags.find((tag) => tag !== `v${version}`);
}

const VARIABLE = /^\| `([A-Z][A-Z\d_]+)`/gm;
const variablesIn = (text) => new Set(Array.from(text.matchAll(VARIABLE), ([, name]) => name));

/** Names of the migrations of the services at a commit. They begin with a date. */
async function migrationsAt(ref) {
  const found = git('grep', '-hoE', "'20[0-9]{2}-[0-9]{2}-[0-9]{2}-[a-z-]+'", ref, '--', 'services/*/src');
  return new Set((await found.catch(() => '')).split('\n').filter(Boolean));
}

const listOr = (lines, nothing) => (lines.length === 0 ? [`- ${nothing}`] : lines.map((line) => `- ${line}`));
const difference = (one, other) => [...one].filter((each) => !other.has(each));

/** What the machine finds between two versions. */
async function compareWith(previous) {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-release-'));
  try {
    await git('archive', '--output', path.join(folder, 'old.tar'), previous, 'proto', 'docs', 'deploy/images');
    await outputOf('tar', ['-xf', path.join(folder, 'old.tar'), '-C', folder]);
    const old = path.join(folder, 'proto');
    const breaking = await compareContracts(old, inCheckout('proto'));
    const [oldVariables, variables] = [
      variablesIn(await readFile(path.join(folder, 'docs/configuration.md'), 'utf8')),
      variablesIn(await read('docs/configuration.md')),
    ];
    const oldImages = JSON.parse(await readFile(path.join(folder, 'deploy/images/external.json'), 'utf8'));
    const images = JSON.parse(await read('deploy/images/external.json'));
    const changed = Object.entries(images).filter(([name, { tag }]) => oldImages[name]?.tag !== tag);
    const migrations = difference(await migrationsAt('HEAD'), await migrationsAt(previous));
    return [
      `### Calls and fields since ${previous}`,
      '',
      ...listOr(await listChanges(old, inCheckout('proto')), 'Nothing changed.'),
      ...(breaking.length > 0 ? ['', '```', describe(breaking), '```'] : []),
      '',
      '### Migrations that will run',
      '',
      ...listOr(migrations, 'None.'),
      '',
      'Migrations run beside the services. The version before reads what they write, so one can go back with its images, without a restore.',
      '',
      '### Variables',
      '',
      ...listOr(
        [
          ...difference(variables, oldVariables).map((name) => `new: \`${name}\``),
          ...difference(oldVariables, variables).map((name) => `gone: \`${name}\``),
        ],
        'None is new or gone.',
      ),
      '',
      '### Images of others',
      '',
      ...listOr(
        changed.map(([name, { tag }]) => `\`${name}\`: ${oldImages[name]?.tag ?? 'new'} → ${tag}`),
        'The same as before.',
      ),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeNotes(version, platforms) {
  const previous = await findPrevious(version);
  const found = previous
    ? await compareWith(previous)
    : ['This is the first version: there is none to upgrade from, and all calls, variables and images are new.'];
  return [
    `# Najwa ${version}`,
    '',
    await readEntry(version),
    '',
    '## Found by comparing',
    '',
    ...found,
    '',
    '## Native modules by platform, of which only that of the build was ever run',
    '',
    ...platforms,
    '',
    '## The same commit again',
    '',
    'gives the same texts and lists. Images differ in their digests: npm and apt stamp files with the time, and apt takes the newest packages of its day. `compose.yaml`,',
    '`kubernetes.yaml`, `SHA256SUMS` and its signature differ with them.',
    '',
  ].join('\n');
}

/** Brings an image to the registry, if it is another's, and finds its digest there. */
async function pushCopy(image, target) {
  await outputOf('docker', ['image', 'inspect', image]).catch(() => outputOf('docker', ['pull', image]));
  await outputOf('docker', ['tag', image, target]);
  return digestOf(target, await outputOf('docker', ['push', target]));
}

function digestOf(target, output) {
  const digest = /digest: (sha256:[\da-f]{64})/.exec(output)?.[1];
  if (!digest) throw new Error(`The registry gave no digest of ${target}.`);
  return `${target.replace(/:[^/:]*$/, '')}@${digest}`;
}

async function sign(folder, key) {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
  const lines = await Promise.all(
    names.map(
      async (name) =>
        `${createHash('sha256')
          .update(await readFile(path.join(folder, name)))
          .digest('hex')}  ${name}\n`,
    ),
  );
  const sums = path.join(folder, 'SHA256SUMS');
  await writeFile(sums, lines.join(''));
  await outputOf('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', NAMESPACE, sums]);
}

/** @throws {SetupError} if the version cannot be released from here */
async function checkVersion(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) throw new SetupError('Usage: npm run release -- 1.0.0 [--notes]');
  await readEntry(version);
  const { version: present } = JSON.parse(await read('package.json'));
  if (present !== version)
    throw new SetupError(
      `package.json is of ${present}: npm version ${version} --workspaces --include-workspace-root --no-git-tag-version, and commit.`,
    );
}

/** Builds and pushes every image. @returns where each is, by its name in Compose and in manifests */
async function pushImages(version, registry, { platforms, revision, folder }) {
  const images = new Map();
  for (const [name, build] of await findImages()) {
    const target = `${registry}/${name}:${version}`;
    say(`${name}: building for ${platforms}`);
    const metadata = path.join(folder, 'metadata.json');
    const more = ['--platform', platforms, '--push', '--metadata-file', metadata];
    await buildImage({ name, build, revision, tag: target, more, program: ['buildx', 'build'] });
    const { 'containerimage.digest': digest } = JSON.parse(await readFile(metadata, 'utf8'));
    images.set(`najwa/${name}`, digestOf(target, `digest: ${digest}`));
  }
  for (const [image, { tag }] of Object.entries(JSON.parse(await read('deploy/images/external.json')))) {
    if (!/^(mongo|rabbitmq|caddy|pgsty\/silo)$/.test(image)) continue;
    say(`${image}: copying`);
    images.set(
      `${image}:${tag}`,
      await pushCopy(`${image}:${tag}`, `${registry}/${image.replaceAll('/', '-')}:${tag}`),
    );
  }
  return images;
}

async function release(version) {
  const [registry, key] = ['REGISTRY', 'SIGNING_KEY'].map((name) => {
    const value = valueOf(process.env, name);
    if (!value) throw new SetupError(`Set ${name}: see deploy/release/release.js.`);
    return value;
  });
  if ((await git('status', '--porcelain')) !== '') throw new SetupError('There are changes that are not committed.');
  const revision = await git('rev-parse', 'HEAD');
  const folder = inCheckout('release', version);
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'sbom'), { recursive: true });
  const put = (name, text) => writeFile(path.join(folder, name), text);
  const temporary = await mkdtemp(path.join(tmpdir(), 'najwa-release-'));
  try {
    const platforms = valueOf(process.env, 'PLATFORMS') ?? 'linux/amd64';
    const lines = platforms.split(',').map(async (name) => `- ${name}: ${(await listNativeModules(name)).join(', ')}`);
    await put('notes.md', await writeNotes(version, await Promise.all(lines)));
    const images = await pushImages(version, registry, { platforms, revision, folder: temporary });
    const head = `# Najwa ${version}, commit ${revision}.\n`;
    await put('compose.yaml', await composeFile(images, head));
    await put('kubernetes.yaml', await kubernetesFile(images, head));
    for (const language of ['en', 'ar']) {
      const text = await read('deploy/release', `install.${language}.md`);
      await put(
        `install.${language}.md`,
        text.replaceAll('{VERSION}', version).replaceAll('{TOOLS}', images.get('najwa/backup')),
      );
    }
    await put('licences.txt', await readLicences());
    await put(
      'sbom/npm.cdx.json',
      await outputOf('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev']),
    );
    for (const [name, image] of images) {
      say(`${name}: listing its content`);
      await put(`sbom/${name.replaceAll(/[/:]/g, '-')}.cdx.json`, await listImageContent(image));
    }
    const signer = (await readFile(`${key}.pub`, 'utf8')).split(' ').slice(0, 2).join(' ');
    await put('allowed_signers', `najwa namespaces="${NAMESPACE}" ${signer}\n`);
    await sign(folder, key);
  } finally {
    await rm(temporary, { recursive: true });
  }
  say(`release/${version} is there. Tag it: git tag v${version} ${revision}`);
}

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { notes: { type: 'boolean' } } });
  const [version] = positionals;
  await checkVersion(version);
  if (values.notes) say(await writeNotes(version, ['- listed when the images are built']));
  else await release(version);
} catch (error) {
  if (!isSetupError(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
