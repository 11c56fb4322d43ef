// Writes schemas.json from the sources that publish the schemas: node deploy/k8s/check/make-schemas.js (needs Go).
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

const KUBERNETES = 'k8s.io/kubernetes@v1.35.8';
const KINDS = {
  'apps/v1': ['Deployment', 'StatefulSet'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['CronJob', 'Job'],
  'networking.k8s.io/v1': ['NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding'],
  v1: ['ConfigMap', 'Namespace', 'PersistentVolumeClaim', 'Secret', 'Service', 'ServiceAccount'],
};
const CUSTOM_RESOURCES = {
  'sigs.k8s.io/gateway-api@v1.3.0': [
    'config/crd/standard/gateway.networking.k8s.io_gateways.yaml',
    'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml',
  ],
  'github.com/external-secrets/external-secrets@v0.18.2': [
    'config/crds/bases/external-secrets.io_externalsecrets.yaml',
  ],
  'istio.io/api@v1.26.2': ['kubernetes/customresourcedefinitions.gen.yaml'],
  'github.com/envoyproxy/gateway@v1.4.2': [
    'charts/gateway-helm/crds/generated/gateway.envoyproxy.io_envoyproxies.yaml',
  ],
};
const WANTED_CUSTOM = new Set([
  'Gateway',
  'HTTPRoute',
  'ExternalSecret',
  'PeerAuthentication',
  'AuthorizationPolicy',
  'EnvoyProxy',
]);
const SHAPE = new Set([
  'type',
  'properties',
  'additionalProperties',
  'items',
  'required',
  'enum',
  '$ref',
  'oneOf',
  'anyOf',
]);

const folderOf = (module) =>
  JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8', cwd: '/' })).Dir;

/** Keeps what validation needs, and refuses fields that the schema does not name. */
function shapeOf(schema) {
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return { type: ['integer', 'string'] };
  const shape = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!SHAPE.has(key)) continue;
    if (key === 'properties')
      shape.properties = Object.fromEntries(Object.entries(value).map(([name, property]) => [name, shapeOf(property)]));
    else if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object'))
      shape[key] = shapeOf(value);
    else if (key === 'oneOf' || key === 'anyOf') continue;
    else shape[key] = value;
  }
  if (shape.properties && !('additionalProperties' in shape) && !schema['x-kubernetes-preserve-unknown-fields'])
    shape.additionalProperties = false;
  return shape;
}

function kubernetesSchemas() {
  const file = path.join(folderOf(KUBERNETES), 'api/openapi-spec/swagger.json');
  const { definitions } = JSON.parse(readFileSync(file, 'utf8'));
  const schemas = {};
  const kept = {};
  const keep = (name) => {
    if (name in kept) return;
    kept[name] = {};
    const text = JSON.stringify(shapeOf(definitions[name]));
    kept[name] = JSON.parse(text);
    for (const [, other] of text.matchAll(/#\/definitions\/([^"]+)"/g)) keep(other);
  };
  for (const [name, definition] of Object.entries(definitions))
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
      const apiVersion = group ? `${group}/${version}` : version;
      if (!KINDS[apiVersion]?.includes(kind)) continue;
      schemas[`${apiVersion}/${kind}`] = { $ref: `#/definitions/${name}` };
      keep(name);
    }
  // Written as a number or as text, which OpenAPI 2 cannot say.
  for (const name of Object.keys(kept))
    if (/\.(IntOrString|Quantity)$/.test(name)) kept[name] = { type: ['integer', 'number', 'string'] };
  return { schemas, definitions: kept };
}

/** Keeps what we use. The rest would be longer than all other schemas. */
function keepAccessLog(spec) {
  const { telemetry } = spec.properties;
  spec.properties = { telemetry };
  telemetry.properties = { accessLog: telemetry.properties.accessLog };
}

function customSchemas() {
  const schemas = {};
  for (const [module, files] of Object.entries(CUSTOM_RESOURCES))
    for (const file of files)
      for (const document of parseAllDocuments(readFileSync(path.join(folderOf(module), file), 'utf8'))) {
        const { spec } = document.toJS() ?? {};
        if (!WANTED_CUSTOM.has(spec?.names.kind) || spec.group === 'networking.istio.io') continue;
        for (const { name, schema } of spec.versions) {
          const shape = shapeOf(schema.openAPIV3Schema);
          if (spec.names.kind === 'EnvoyProxy') keepAccessLog(shape.properties.spec);
          Object.assign(shape.properties, {
            apiVersion: { type: 'string' },
            kind: { type: 'string' },
            metadata: { type: 'object' },
          });
          schemas[`${spec.group}/${name}/${spec.names.kind}`] = shape;
        }
      }
  return schemas;
}

const { schemas, definitions } = kubernetesSchemas();
const all = { kinds: { ...schemas, ...customSchemas() }, definitions };
writeFileSync(new URL('schemas.json', import.meta.url), `${JSON.stringify(all)}\n`);
