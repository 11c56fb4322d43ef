// Builds the base, every component and every overlay, and holds the result against Kubernetes' schemas and our own rules.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { ARROWS, LISTENING } from '../../cluster/dist/arrows.js';
import { writeKubernetesSecrets } from '../../dev/src/bootstrap/secret-files.js';
import { findKustomize } from './kustomize.js';

const run = promisify(execFile);
const source = fileURLToPath(new URL('..', import.meta.url));
const { kinds, definitions } = JSON.parse(await readFile(new URL('schemas.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true });
const validators = new Map();

/** @returns the faults of one object against its schema */
function schemaFaults(object) {
  const kind = `${object.apiVersion}/${object.kind}`;
  if (!(kind in kinds)) return [`there is no schema of ${kind}: see make-schemas.js`];
  if (!validators.has(kind)) validators.set(kind, ajv.compile({ ...kinds[kind], definitions }));
  const validate = validators.get(kind);
  if (validate(object)) return [];
  return validate.errors.map(({ instancePath, message, params }) =>
    [instancePath, message, params.additionalProperty].filter(Boolean).join(' '),
  );
}

/** @returns the faults of one workload against our own rules */
function workloadFaults({ kind, spec }) {
  const { spec: pod } = (spec.jobTemplate?.spec ?? spec).template;
  const faults = [];
  const demand = (holds, rule) => holds || faults.push(rule);
  demand(pod.automountServiceAccountToken === false, 'has the token of its account');
  demand(pod.enableServiceLinks === false, 'has variables of other services');
  demand(pod.securityContext?.runAsNonRoot === true, 'may run as root');
  demand(pod.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile');
  for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
    const { securityContext: security = {}, resources = {} } = container;
    demand(security.allowPrivilegeEscalation === false, `${container.name} may gain privileges`);
    demand(security.capabilities?.drop?.includes('ALL'), `${container.name} has capabilities`);
    demand(resources.requests?.cpu && resources.limits?.memory, `${container.name} has no requests or limits`);
  }
  if (kind === 'CronJob') return faults;
  const [server] = pod.containers;
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) demand(server[probe], `has no ${probe}`);
  return faults;
}

/** Of services, between the requests in flight and the end of the process. */
const CLOSING_SECONDS = 10;

/** @returns the faults of what belongs together in several objects */
function togetherFaults(objects) {
  const faults = [];
  const settings = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'settings')?.data;
  const stopSeconds = Number(settings?.DRAIN_SECONDS) + Number(settings?.SHUTDOWN_SECONDS) + CLOSING_SECONDS;
  const namespace = objects.find(({ kind }) => kind === 'Namespace')?.metadata.name;
  for (const { kind, metadata, spec } of objects) {
    const isService = kind === 'Deployment' && metadata.labels['najwa.runtime'] === 'node';
    if (isService && spec.template.spec.terminationGracePeriodSeconds <= stopSeconds)
      faults.push(`${metadata.name} may take ${stopSeconds} seconds to stop, and is killed before`);
    if (kind === 'ExternalSecret' && spec.dataFrom[0].extract.key !== `${namespace}/${metadata.name}`)
      faults.push(`ExternalSecret ${metadata.name} is that of another namespace`);
  }
  return faults;
}

/** What the door may log of a request: no path, address, browser or referrer, and times to the minute. */
const LOGGED = new Set([
  'START_TIME(%Y-%m-%dT%H:%MZ)',
  'REQ(:METHOD)',
  'PROTOCOL',
  'RESPONSE_CODE',
  'RESPONSE_FLAGS',
  'DURATION',
]);

/** An operator of Envoy's format. That of a time has a format in brackets with operators of its own. */
const OPERATOR = /%([A-Z_\d]+(?:\([^)]*\))?)%/g;

/** In place of addresses. The gateway does not start with it (services/gateway/src/config.test.ts). */
const UNSET = 'set-to-the-addresses-of-the-ingress';

/** The widest range that one ingress controller needs, in bits. */
const MIN_PREFIX = 16;

/** @returns the faults of the door: what it logs, and whose word for an address counts */
function doorFaults(objects) {
  const faults = [];
  const logs = objects.filter(({ kind }) => kind === 'EnvoyProxy');
  for (const { kind, metadata, spec } of objects) {
    if (kind !== 'Gateway') continue;
    const { name } = spec.infrastructure?.parametersRef ?? {};
    if (!logs.some((log) => log.metadata.name === name)) faults.push(`Gateway ${metadata.name} has no log of its own`);
  }
  for (const { metadata, spec } of logs) {
    const { settings = [] } = spec.telemetry.accessLog;
    if (settings.length === 0) faults.push(`EnvoyProxy ${metadata.name} leaves the log as Envoy has it`);
    for (const { format = {} } of settings) {
      const operators = [...(format.text ?? '').matchAll(OPERATOR)].map(([, operator]) => operator);
      if (operators.length === 0) faults.push(`EnvoyProxy ${metadata.name} has no format of text`);
      for (const operator of operators)
        if (!LOGGED.has(operator)) faults.push(`EnvoyProxy ${metadata.name} logs ${operator}`);
    }
  }
  const settings = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'settings')?.data;
  const proxies = settings?.TRUSTED_PROXIES?.split(',') ?? [];
  for (const range of proxies)
    if (range !== UNSET && !/^[\d.]+(\/\d+)?$|^[\da-f:]+(\/\d+)?$/.test(range.trim()))
      faults.push(`TRUSTED_PROXIES has ${range}, which is neither addresses nor "${UNSET}"`);
    else if (Number(range.split('/')[1] ?? Infinity) < MIN_PREFIX)
      faults.push(`TRUSTED_PROXIES trusts all of ${range}`);
  return faults;
}

const matches = ({ matchLabels = {}, matchExpressions = [] }, labels) =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
  matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key]));

const podsOf = (objects) =>
  objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .map(({ metadata: { name, namespace }, spec: { template } }) => ({
      name,
      labels: template.metadata.labels,
      ports: template.spec.containers.flatMap(({ ports = [] }) => ports),
      principal: `cluster.local/ns/${namespace}/sa/${template.spec.serviceAccountName ?? 'default'}`,
    }));

/** @returns whether the policies of one of two pods let it connect to the other, or be connected to by it */
function networkOf(objects) {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec);
  const allows = (subject, direction, peers, peer, callee, port) =>
    policies.some(
      ({ podSelector, [direction]: rules = [] }) =>
        matches(podSelector, subject.labels) &&
        rules.some(
          (rule) =>
            rule[peers].some(
              (one) => one.podSelector && !one.namespaceSelector && matches(one.podSelector, peer.labels),
            ) &&
            rule.ports.some(
              (allowed) =>
                allowed.port === port || callee.ports.some((p) => p.name === allowed.port && p.containerPort === port),
            ),
        ),
    );
  return {
    letsOut: (caller, callee, port) => allows(caller, 'egress', 'to', callee, callee, port),
    letsIn: (caller, callee, port) => allows(callee, 'ingress', 'from', caller, callee, port),
  };
}

/** @returns the differences between what the network policies allow and what the design draws */
function arrowFaults(objects) {
  const { letsOut, letsIn } = networkOf(objects);
  const pods = podsOf(objects);
  const faults = [];
  for (const caller of pods)
    for (const callee of pods)
      for (const port of LISTENING[callee.name] ?? []) {
        const arrow = `${caller.name} → ${callee.name}:${port}`;
        const isAllowed = letsOut(caller, callee, port) && letsIn(caller, callee, port);
        if (isAllowed !== ARROWS.has(arrow)) faults.push(`${arrow} is ${isAllowed ? 'allowed' : 'not allowed'}`);
      }
  return faults;
}

const hasName = (names, principal) =>
  names.some((name) => name === principal || (name.endsWith('/*') && principal.startsWith(name.slice(0, -1))));

/** @returns the differences between what the mesh allows by certificates and the network policies by addresses */
function meshFaults(objects) {
  const policies = objects.filter(({ kind }) => kind === 'AuthorizationPolicy').map(({ spec }) => spec);
  if (policies.length === 0) return [];
  const faults = policies.some((spec) => Object.keys(spec).length === 0) ? [] : ['the mesh does not deny by default'];
  const { letsOut, letsIn } = networkOf(objects);
  const isFrom = ({ source: { principals = [], notPrincipals } }, { principal }) =>
    notPrincipals ? !hasName(notPrincipals, principal) : hasName(principals, principal);
  const pods = podsOf(objects);
  for (const caller of pods)
    for (const callee of pods)
      for (const { containerPort: port } of callee.ports) {
        const isAllowed = policies.some(
          ({ selector, rules = [] }) =>
            selector !== undefined &&
            matches(selector, callee.labels) &&
            rules.some(
              ({ from, to }) =>
                from.some((one) => isFrom(one, caller)) &&
                to.some(({ operation }) => operation.ports.includes(String(port))),
            ),
        );
        if (isAllowed !== (letsOut(caller, callee, port) && letsIn(caller, callee, port)))
          faults.push(
            `the mesh ${isAllowed ? 'allows' : 'refuses'} ${caller.name} → ${callee.name}:${port}, unlike the network policies`,
          );
      }
  return faults;
}

/** What several objects must hold together, by name. */
const RULES = {
  'a service has the time to stop, and secrets are those of its namespace': togetherFaults,
  // Threat model: logs-1.
  'the door logs neither path nor address, and trusts its own proxies alone': doorFaults,
  'the mesh allows what the network policies allow': meshFaults,
};

const folder = await mkdtemp(path.join(tmpdir(), 'najwa-manifests-'));
const faults = [];
try {
  const copy = path.join(folder, 'k8s');
  await cp(source, copy, { recursive: true, filter: (file) => !file.endsWith('/secrets') });
  // The component for observability takes its files from there.
  await cp(path.join(source, '../observability'), path.join(folder, 'observability'), { recursive: true });
  await writeKubernetesSecrets(path.join(copy, 'overlays/local/secrets'));
  const [program, ...args] = await findKustomize();
  const services = (await readdir(path.join(copy, 'base'), { withFileTypes: true })).filter(
    (entry) => entry.isDirectory() && entry.name !== 'workload',
  );
  const targets = ['base', ...services.map(({ name }) => `base/${name}`)];
  for (const overlay of await readdir(path.join(copy, 'overlays'))) targets.push(`overlays/${overlay}`);
  for (const component of await readdir(path.join(copy, 'components'))) {
    const target = `with/${component}`;
    await mkdir(path.join(copy, target), { recursive: true });
    await writeFile(
      path.join(copy, target, 'kustomization.yaml'),
      `namespace: najwa\nresources: [../../base]\ncomponents: [../../components/${component}]\n`,
    );
    targets.push(target);
  }
  // The mesh names who may call the pods of the other.
  const both = 'with/mutual-tls-and-observability';
  await mkdir(path.join(copy, both), { recursive: true });
  await writeFile(
    path.join(copy, both, 'kustomization.yaml'),
    'namespace: najwa\nresources: [../../base]\ncomponents: [../../components/observability, ../../components/mutual-tls]\n',
  );
  targets.push(both);
  let count = 0;
  for (const target of targets) {
    const add = (found) => faults.push(...found.map((fault) => `${target}: ${fault}`));
    try {
      const { stdout } = await run(program, [...args, path.join(copy, target)], { maxBuffer: 64 * 1024 * 1024 });
      const objects = parseAllDocuments(stdout).map((document) => document.toJS());
      for (const object of objects) {
        const name = `${object.kind} ${object.metadata.name}`;
        const isWorkload = ['Deployment', 'StatefulSet', 'CronJob'].includes(object.kind);
        add(
          [...schemaFaults(object), ...(isWorkload ? workloadFaults(object) : [])].map((fault) => `${name} ${fault}`),
        );
      }
      for (const [rule, faultsOf] of Object.entries(RULES)) add(faultsOf(objects).map((fault) => `${fault} (${rule})`));
      if (target === 'overlays/local') add(arrowFaults(objects));
      count += objects.length;
    } catch (error) {
      add([error.stderr ?? error.message]);
    }
  }
  if (faults.length > 0) process.stdout.write(`${[...new Set(faults)].join('\n')}\n`);
  else process.stdout.write(`${targets.length} targets, ${count} objects\n`);
} finally {
  await rm(folder, { recursive: true });
}
process.exitCode = faults.length > 0 ? 1 : 0;
