import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { inCheckout, SetupError } from '../dev/src/bootstrap/environment.js';
import { writeKubernetesSecrets } from '../dev/src/bootstrap/secret-files.js';
import { outputOf } from '../images/build.js';
import { findKustomize } from '../k8s/check/kustomize.js';

/** The Compose file of a release: images by digest, nothing is built, and nothing needs a file of the checkout. */
export async function composeFile(images, head) {
  const compose = parse(await readFile(inCheckout('docker-compose.yml'), 'utf8'), { merge: true });
  const services = Object.entries(compose.services).filter(
    ([, { profiles = [] }]) => !profiles.includes('observability'),
  );
  for (const [, service] of services) {
    delete service.build;
    delete service.pull_policy;
    service.image = images.get(service.image.replace(/:\$\{NAJWA_TAG.*/, ''));
  }
  const { name, networks, volumes } = compose;
  delete volumes.prometheus;
  delete volumes.grafana;
  const text = stringify(
    { name, services: Object.fromEntries(services), networks, volumes },
    { aliasDuplicateObjects: false },
  );
  return `${head}${text.replaceAll('Write .env first, as README says under "Compose".', 'Write .env first, as install.en.md says.')}`;
}

/** All objects of a cluster in one file, without its Secrets, which a job in it makes. */
export async function kubernetesFile(images, head) {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-release-'));
  try {
    await cp(inCheckout('deploy/k8s'), folder, { recursive: true, filter: (file) => !file.endsWith('/secrets') });
    await writeKubernetesSecrets(path.join(folder, 'overlays/local/secrets'));
    const [program, ...args] = await findKustomize();
    const documents = parseAllDocuments(await outputOf(program, [...args, path.join(folder, 'overlays/release')]));
    const objects = documents.map((document) => document.toJS()).filter(({ kind }) => kind !== 'Secret');
    // kubectl reads YAML 1.1, in which off is false.
    const text = objects.map((object) => stringify(object, { version: '1.1' })).join('---\n');
    return `${head}${text.replaceAll(/(\bimage: )(\S+)/g, (_line, start, image) => {
      const found = images.get(image.replace(/:dev$/, ''));
      if (!found) throw new Error(`There is no image ${image}.`);
      return `${start}${found}`;
    })}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Processors as npm names them, with their number in ELF files, at byte 18. */
const PROCESSORS = { 'linux/amd64': ['x64', 0x3e], 'linux/arm64': ['arm64', 0xb7] };
const SHIPPED = "git archive HEAD ':(glob)**/package.json' package-lock.json services/gateway/stubs | tar -x -C";

/** Installs for a platform what ships, and runs nothing of it. @returns its native modules; throws if one is of another */
export async function listNativeModules(platform) {
  if (!(platform in PROCESSORS)) throw new SetupError(`PLATFORMS names ${platform}, which there are no releases for.`);
  const [processor, number] = PROCESSORS[platform];
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-release-'));
  try {
    await outputOf('sh', ['-c', `${SHIPPED} ${folder}`]);
    const only = ['--omit', 'dev', '--os', 'linux', '--libc', 'glibc', '--cpu', processor];
    await outputOf('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...only], folder);
    const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(node|so\.[\d.]+)$/.test(name));
    for (const file of files)
      if ((await readFile(path.join(folder, file))).readUInt16LE(18) !== number)
        throw new Error(`${file} is not of ${platform}.`);
    return files.map((file) => path.basename(file));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Prints Debian's packages, what was built from their sources, Node.js, and npm manifests. Images of others may have none. */
const LIST = `dpkg-query -W -f 'deb\\t\${Package}\\t\${Version}\\t\${Architecture}\\n' 2>/dev/null
cat /usr/local/share/built-from.tsv 2>/dev/null
node -p '"generic\\tnode\\t" + process.versions.node' 2>/dev/null
find / -xdev -path '*/node_modules/*/package.json' -exec sh -c '
  for file; do tr -d "\\n" <"$file" | sed -n "s/^/npm\\t/p"; echo; done' sh {} + 2>/dev/null
true`;

const componentOf = (line) => {
  const [kind, name, version, architecture] = line.split('\t');
  const ofDebian = `deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
  if (kind !== 'npm')
    return { type: 'library', name, version, purl: `pkg:${kind === 'deb' ? ofDebian : `${kind}/${name}@${version}`}` };
  try {
    const manifest = JSON.parse(line.slice('npm\t'.length));
    if (!manifest.name || !manifest.version) return [];
    const purl = `pkg:npm/${manifest.name.replace('@', '%40')}@${manifest.version}`;
    return { type: 'library', name: manifest.name, version: manifest.version, purl };
  } catch {
    return [];
  }
};

/** @returns {Promise<string>} what is in an image, as CycloneDX: packages of Debian and of npm */
export async function listImageContent(image) {
  const args = ['run', '--rm', '--user', '0', '--network', 'none', '--entrypoint', 'sh', image, '-c', LIST];
  const all = (await outputOf('docker', args))
    .split('\n')
    .filter((line) => /^(deb|generic|npm)\t/.test(line))
    .flatMap(componentOf);
  const components = [...new Map(all.map((each) => [each.purl, each])).values()].sort((a, b) =>
    a.purl < b.purl ? -1 : 1,
  );
  const metadata = { component: { type: 'container', name: image } };
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components }, null, 1)}\n`;
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** @returns {Promise<string>} licences of the npm packages that ship, with their texts */
export async function readLicences() {
  const { packages } = JSON.parse(await readFile(inCheckout('package-lock.json'), 'utf8'));
  const shipped = Object.entries(packages).filter(
    ([place, { dev, link, optional }]) => place.includes('node_modules/') && !dev && !link && !optional,
  );
  const texts = await Promise.all(
    shipped.map(async ([place, { version, license = 'see its text' }]) => {
      const files = (await readdir(inCheckout(place)).catch(() => [])).filter((name) => LICENCE_FILE.test(name));
      const found = await Promise.all(files.map((name) => readFile(inCheckout(place, name), 'utf8').catch(() => '')));
      return `${place.split('node_modules/').at(-1)} ${version}: ${license}\n\n${found.join('\n').trim()}\n`;
    }),
  );
  const head =
    'Licences of the npm packages in the images. Those of Debian packages are in the images, in /usr/share/doc.\n';
  return [head, ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}
