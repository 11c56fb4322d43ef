// Checks skaffold.yaml and the pipelines by their schemas, and that each service is listed under one name everywhere.
import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { SERVICES } from '@najwa/proto/http/client';
import { inCheckout } from '../dev/src/bootstrap/environment.js';
import { succeeds } from '../dev/src/bootstrap/processes.js';

const faults = [];
const expect = (isTrue, fault) => isTrue || faults.push(fault);

const exists = (...names) => succeeds(access(inCheckout(...names)));
const read = (...names) => readFile(inCheckout(...names), 'utf8');
const readYaml = async (...names) => parse(await read(...names));

/** Deployed parts: name → folder. */
const parts = new Map([...Object.keys(SERVICES).map((name) => [name, `services/${name}`]), ['web', 'web']]);

const buildsService = (name, dockerfile, args) => dockerfile === 'services/Dockerfile' && args?.SERVICE === name;

const schema = JSON.parse(await read('deploy/check/skaffold-v4beta13.json'));
// Ajv does not know this dialect.
delete schema.$schema;
const isSkaffold = new Ajv({ strict: false }).compile(schema);

async function readSkaffold(file) {
  const config = await readYaml(file);
  if (!isSkaffold(config))
    for (const { instancePath, message } of isSkaffold.errors) faults.push(`${file} ${instancePath}: ${message}`);
  const kustomize = [config, ...(config.profiles ?? [])].flatMap(({ manifests }) => manifests?.kustomize?.paths ?? []);
  for (const folder of kustomize) {
    const kustomization = [path.dirname(file), folder, 'kustomization.yaml'];
    if (!(await exists(...kustomization))) {
      faults.push(`${file}: ${folder} has no kustomization.yaml`);
      continue;
    }
    // Skaffold finds its images by name.
    const { images = [] } = await readYaml(...kustomization);
    for (const { name, newName } of images)
      expect(newName === undefined, `${file}: ${folder} renames ${name}, which skaffold would not find`);
  }
  return config;
}

async function checkPart(name, folder, required) {
  const module = `${folder}/skaffold.yaml`;
  expect(required.includes(module), `skaffold.yaml does not require ${module}`);
  if (!(await exists(module))) return;
  const { metadata, build } = await readSkaffold(module);
  const [artifact, ...others] = build.artifacts;
  expect(
    metadata.name === name && artifact.image === `najwa/${name}` && others.length === 0,
    `${module}: must build najwa/${name}`,
  );
  expect(path.join(folder, artifact.context) === '.', `${module}: the context must be the root of the checkout`);
  const { dockerfile, buildArgs } = artifact.docker;
  expect(
    name === 'web' ? dockerfile === 'web/Dockerfile' : buildsService(name, dockerfile, buildArgs),
    `${module}: must build ${folder}`,
  );
  expect(await exists('deploy/k8s/base', name, 'kustomization.yaml'), `deploy/k8s/base/${name} is missing`);

  const { version } = JSON.parse(await read(folder, 'package.json'));
  expect(/^\d+\.\d+\.\d+$/.test(version), `${folder}/package.json: the version must be like 1.4.0`);

  const pipeline = `deploy/pipelines/${name}.yml`;
  if (!(await exists(pipeline))) return faults.push(`${pipeline} is missing`);
  const { on, jobs } = await readYaml(pipeline);
  const { service, folder: built } = jobs[name]?.with ?? {};
  expect(service === name && built === folder, `${pipeline}: must deliver ${name} from ${folder}`);
  for (const { paths } of Object.values(on))
    for (const watched of paths)
      expect(await exists(watched.replace('/**', '')), `${pipeline}: there is no ${watched}`);
}

/** Files that must name each service, each with an API, each with a database. */
const LISTS = {
  all: [
    'deploy/k8s/base/kustomization.yaml',
    'deploy/k8s/overlays/local/kustomization.yaml',
    'deploy/k8s/overlays/staging/kustomization.yaml',
    'deploy/k8s/overlays/production/kustomization.yaml',
    'deploy/k8s/components/observability/workloads/services.yaml',
    'deploy/k8s/components/observability/workloads/otel-collector.yaml',
    'deploy/k8s/components/observability/workloads/prometheus.yaml',
    'deploy/k8s/components/observability/workloads/prometheus.yml',
    'deploy/k8s/components/mutual-tls/callers.yaml',
    'deploy/k8s/components/external-secrets/external-secrets.yaml',
    'deploy/dev/src/bootstrap/secret-files.js',
    'deploy/observability/prometheus.yml',
    'deploy/observability/alerts.yml',
  ],
  api: ['services/gateway/gateway.config.yml', 'deploy/k8s/base/gateway/gateway.yaml'],
  database: [
    'services/backup/src/stores.ts',
    'deploy/k8s/components/mongodb/access/access.yaml',
    'deploy/k8s/components/managed-infrastructure/egress.yaml',
  ],
};

async function checkLists() {
  const compose = await readYaml('docker-compose.yml');
  for (const [name, { api, database }] of Object.entries(SERVICES)) {
    const { dockerfile, args } = compose.services[name]?.build ?? {};
    expect(buildsService(name, dockerfile, args), `docker-compose.yml: no service ${name} from services/Dockerfile`);
    for (const file of [...LISTS.all, ...(api ? LISTS.api : []), ...(database ? LISTS.database : [])])
      expect(new RegExp(`\\b${name}\\b`).test(await read(file)), `${file} does not name ${name}`);
  }
}

await checkLists();
const { requires } = await readSkaffold('skaffold.yaml');
const required = requires.map((module) => module.path);
for (const [name, folder] of parts) await checkPart(name, folder, required);
expect(required.length === parts.size, 'skaffold.yaml requires a module of something that is not deployed');
for (const folder of ['deploy/pipelines', '.github/workflows'])
  for (const file of (await readdir(inCheckout(folder))).filter((name) => name.endsWith('.yml'))) {
    const { errors } = validateWorkflow(await read(folder, file));
    for (const { path: place, title } of errors) faults.push(`${folder}/${file} ${place}: ${title}`);
  }
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}
