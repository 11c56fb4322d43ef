// Part of npm test: checks the Dockerfiles and docker-compose.yml without a Docker engine.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file) => readFile(path.join(root, file), 'utf8');

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

for (const file of ['services/Dockerfile', 'web/Dockerfile']) checkImage(file, await read(file));
checkCompose('docker-compose.yml', await read('docker-compose.yml'), await read('.env.example'));

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
