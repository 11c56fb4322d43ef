// Part of npm test: checks the Dockerfiles and docker-compose.yml without a Docker engine.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file) => readFile(path.join(root, file), 'utf8');

/** Dockerfiles that may have more than the others: the gateway's its stubs, media's its ffmpeg. */
const MAY_ADD = new Set(['gateway', 'media']);
/** Folders of services/ that are no services. */
const LIBRARIES = new Set(['common', 'dev-env']);
const SECRET = /(PASSWORD|_SECRET|SECRET_KEY|PRIVATE_KEY)$/;

const faults = [];
const expect = (holds, file, fault) => {
  if (!holds) faults.push(`${file}: ${fault}`);
};

function checkImage(file, text) {
  for (const { range, message } of validate(text)) faults.push(`${file}:${range.start.line + 1}: ${message}`);
  const dockerfile = DockerfileParser.parse(text);
  const names = dockerfile.getInstructions().map((instruction) => instruction.getInstruction());
  const last = dockerfile.getInstructions().slice(names.lastIndexOf('FROM'));
  const argumentsOf = (name) =>
    last
      .filter((instruction) => instruction.getInstruction() === name)
      .map((instruction) => instruction.getRawArgumentsContent() ?? '');
  for (const from of dockerfile.getFROMs())
    expect(from.getImageTag() !== 'latest', file, 'pin the base image to a version');
  expect(/^[1-9]\d*:[1-9]\d*$/.test(argumentsOf('USER').at(-1) ?? ''), file, 'run as a numeric user that is not root');
  expect(argumentsOf('HEALTHCHECK').length === 1, file, 'have a health check');
  expect(argumentsOf('LABEL').join(' ').includes('org.opencontainers.image.revision'), file, 'have the OCI labels');
  expect(names.filter((name) => name === 'FROM').length > 1, file, 'build in a stage of its own');
  expect(!names.includes('ADD'), file, 'use COPY, not ADD');
}

/** True if all lines of `part` are in `whole`, in their order. */
function isWithin(part, whole) {
  let at = 0;
  for (const line of whole) if (line === part[at]) at += 1;
  return at === part.length;
}

function checkSameness(texts) {
  const linesOf = (name) => texts.get(name).replaceAll(`services/${name}/`, 'services/NAME/').split('\n');
  const withoutName = (name) => linesOf(name).map((line) => line.replace(`SERVICE=${name}`, 'SERVICE=NAME'));
  const common = withoutName('auth');
  for (const name of texts.keys()) {
    const lines = withoutName(name);
    const fits = isWithin(common, lines) && (MAY_ADD.has(name) || lines.length === common.length);
    expect(fits, `services/${name}/Dockerfile`, 'must equal services/auth/Dockerfile in all but its name');
  }
}

function checkCompose(file, text, example) {
  const { services } = parse(text, { merge: true });
  for (const [name, service] of Object.entries(services)) {
    const at = `${file}: ${name}`;
    expect(service.read_only === true, at, 'must have a read-only root');
    expect(service.cap_drop?.includes('ALL'), at, 'must drop all capabilities');
    expect(service.security_opt?.includes('no-new-privileges:true'), at, 'must gain no privileges');
    expect(service.deploy?.resources?.limits?.memory, at, 'must have a memory limit');
  }
  const used = new Map();
  for (const [, name, rest] of text.matchAll(/\$\{([A-Z\d_]+)([^}]*)\}/g))
    used.set(name, `${used.get(name) ?? ''}${rest}`);
  for (const [name, rest] of used) {
    if (SECRET.test(name)) expect(rest.includes(':?') && !rest.includes(':-'), file, `${name} must be required`);
    if (name !== 'NAJWA_TAG') expect(new RegExp(`^${name}=`, 'm').test(example), '.env.example', `name ${name}`);
  }
}

const folders = await readdir(path.join(root, 'services'), { withFileTypes: true });
const names = folders.flatMap((folder) => (folder.isDirectory() && !LIBRARIES.has(folder.name) ? [folder.name] : []));
const texts = new Map(await Promise.all(names.map(async (name) => [name, await read(`services/${name}/Dockerfile`)])));
for (const [name, text] of texts) checkImage(`services/${name}/Dockerfile`, text);
checkImage('web/Dockerfile', await read('web/Dockerfile'));
checkSameness(texts);
checkCompose('docker-compose.yml', await read('docker-compose.yml'), await read('.env.example'));

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
