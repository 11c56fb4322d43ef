import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { create, loadConfig } from '@najwa/gateway';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { inCheckout } from '@najwa/dev/bootstrap/environment';

interface Expression {
  where: string;
  text: string;
}

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Panel {
  id: number;
  title: string;
  datasource: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { refId: string; expr: string }[];
}

interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
  templating: { list: { query: string; datasource: { uid: string } }[] };
}

const FOLDER = inCheckout('deploy/observability');
const DASHBOARDS = `${FOLDER}/grafana/dashboards`;

const { groups } = parse(readFileSync(`${FOLDER}/alerts.yml`, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboards = readdirSync(DASHBOARDS).map(
  (file) => JSON.parse(readFileSync(`${DASHBOARDS}/${file}`, 'utf8')) as Dashboard,
);

/** A template query, such as `label_values(metric, label)`, as the metric that it reads. */
const metricOfVariable = (query: string): string => /^label_values\((.+), \w+\)$/.exec(query)?.[1] ?? query;

const expressions: Expression[] = [
  ...rules.map(({ alert, expr }) => ({ where: alert, text: expr })),
  ...dashboards.flatMap(({ title, panels, templating }) => [
    ...panels.flatMap((panel) => panel.targets.map(({ expr }) => ({ where: `${title}: ${panel.title}`, text: expr }))),
    ...templating.list.map(({ query }) => ({ where: `${title}: variables`, text: metricOfVariable(query) })),
  ]),
].map(({ where, text }) => ({ where, text: text.replaceAll('$__rate_interval', '5m').replaceAll('$service', '.+') }));

/** Added to metrics and targets by Prometheus itself. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance', 'le'] };

/** Names in an expression, by the kind of the syntax node. `⚠` is the parser's node for an error. */
function namesIn(text: string): Record<'metrics' | 'labels' | 'errors', string[]> {
  const names: ReturnType<typeof namesIn> = { metrics: [], labels: [], errors: [] };
  parser.parse(text).iterate({
    enter: ({ name, from, to, node }) => {
      const word = text.slice(from, to);
      if (node.type.isError) names.errors.push(`at ${from}: ${text.slice(from, from + 20)}`);
      else if (name === 'Identifier') names.metrics.push(word);
      else if (name === 'LabelName') names.labels.push(word);
    },
  });
  return names;
}

let metricNames: Set<string>;
let labelNames: Set<string>;

beforeAll(async () => {
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  // The gateway's metrics are those of every service, and its own.
  const metrics = new Metrics('gateway');
  const nowhere = Object.fromEntries(
    ['AUTH', 'MESSAGES', 'MEDIA', 'CHATBOT', 'ADMIN', 'WEB'].map((name) => [`${name}_URL`, 'http://127.0.0.1:1']),
  );
  await create(
    loadConfig({
      ...nowhere,
      AUTH_GRPC: '127.0.0.1:1',
      MESSAGES_GRPC: '127.0.0.1:1',
      AMQP_URL: 'amqp://127.0.0.1:1',
      IDENTITY_PRIVATE_KEY: privateKey,
      SERVICE_PRIVATE_KEY: privateKey,
    }),
    { metrics, logger: createLogger({ service: 'gateway', level: 'silent' }) },
  );
  const all = metrics.registry.getMetricsAsArray() as unknown as {
    name: string;
    labelNames?: string[];
    get: () => Promise<{ type: string }>;
  }[];
  metricNames = new Set(OF_PROMETHEUS.metrics);
  labelNames = new Set(['service', ...OF_PROMETHEUS.labels]);
  for (const metric of all) {
    const { name, labelNames: labels = [] } = metric;
    const isHistogram = (await metric.get()).type === 'histogram';
    const samples = isHistogram ? ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name];
    for (const sample of samples) metricNames.add(sample);
    for (const label of labels) labelNames.add(label);
  }
});

describe('alert rules and dashboards', () => {
  test.each(expressions)('parse as PromQL and name what the services measure: $where', ({ text }) => {
    const { metrics, labels, errors } = namesIn(text);
    expect(errors).toEqual([]);
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((name) => !metricNames.has(name))).toEqual([]);
    expect(labels.filter((name) => !labelNames.has(name))).toEqual([]);
  });

  test.each(rules)('$alert says what to do, under its own heading', ({ alert, labels, annotations }) => {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(readFileSync(inCheckout('docs/operations.md'), 'utf8')).toMatch(new RegExp(`^### ${alert}$`, 'm'));
  });

  test.each(dashboards)('$title has panels that do not overlap, from the provisioned source', ({ panels }) => {
    const { datasources } = parse(
      readFileSync(`${FOLDER}/grafana/provisioning/datasources/datasources.yml`, 'utf8'),
    ) as { datasources: { uid: string }[] };
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)}/${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { datasource } of panels) expect(datasources.map(({ uid }) => uid)).toContain(datasource.uid);
  });
});
