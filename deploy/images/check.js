// Part of npm test: checks the Dockerfiles and docker-compose.yml without a Docker engine, and that nothing that ships
// has a user, a password or a key of its own.
import { readFile } from 'node:fs/promises';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse, parseAllDocuments } from 'yaml';
import { inCheckout } from '../dev/src/bootstrap/environment.js';
import { listFiles } from '../dev/src/bootstrap/processes.js';

const read = (file) => readFile(inCheckout(file), 'utf8');

/** Names of variables that every installation draws for itself. */
const SECRET = /(_USER(NAME)?|_PASS(WORD)?|_SECRET|(SECRET|ACCESS|PRIVATE)_KEY|(?<!PUBLIC)_KEYS|_COOKIE)$/;

/** An address with a user and a password that are no placeholders, and the users that servers have from the start. */
const CONSTANT =
  /\b[a-z][a-z+]*:\/\/(?!(?:USER|KEY):)[^\s/:@$'"`{}<]+:[^\s/@$'"`{}<]+@|['`=]minioadmin\b|\bguest:guest\b/;

/** Tests name such users to see them refused, docs and schemas describe them. */
const SHIPS = /(^|\/)(Dockerfile|\.env\.example|[^/]+\.(ya?ml|conf|ts|tsx|js|sh))$/;
const TEST = /\.test\.tsx?$|(^|\/)(tests?|e2e|check)\//;

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
    if (SECRET.test(name) && name !== 'ADMIN_SECRET_PREVIOUS')
      expect(rest.includes(':?') && !rest.includes(':-'), file, `${name} must be required`);
    if (name !== 'NAJWA_TAG') expect(new RegExp(`^${name}=`, 'm').test(example), '.env.example', `name ${name}`);
  }
}

/** Every variable with the name of a secret must come from outside: from .env in Compose, from a Secret in a pod. */
function checkVariables(file, node) {
  if (Array.isArray(node)) return node.forEach((entry) => checkVariables(file, entry));
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of 'value' in node && 'name' in node ? [[node.name, node.value]] : Object.entries(node)) {
    const isWritten = typeof value === 'string' && value.replaceAll(/\$\{[^}]*\}/g, '') !== '';
    if (SECRET.test(name)) expect(!isWritten, file, `${name} must not have a constant value`);
    checkVariables(file, value);
  }
}

async function checkCredentials() {
  for (const file of (await listFiles()).filter((name) => SHIPS.test(name) && !TEST.test(name))) {
    const text = await read(file);
    for (const [index, line] of text.split('\n').entries())
      expect(!CONSTANT.test(line), `${file}:${index + 1}`, 'draw the user and the password for each installation');
    if (/^(docker-compose\.yml|deploy\/k8s\/.*\.yaml)$/.test(file))
      for (const document of parseAllDocuments(text, { merge: true })) checkVariables(file, document.toJS());
    if (file === '.env.example')
      for (const [, name, value] of text.matchAll(/^([A-Z\d_]+)=(.*)$/gm))
        expect(!SECRET.test(name) || value === '', file, `${name} must be empty`);
  }
}

await checkCredentials();
for (const file of ['services/Dockerfile', 'web/Dockerfile']) checkImage(file, await read(file));
checkCompose('docker-compose.yml', await read('docker-compose.yml'), await read('.env.example'));

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
