import type { RequestListener } from 'node:http';
import { AggregatorRegistry } from 'prom-client';
import type { Metrics } from './metrics.js';

/** Text of all metrics, in the form that Prometheus reads. */
export interface MetricsSource {
  contentType: string;
  read: () => Promise<string>;
}

/** The metrics of this process. */
export const processMetrics = ({ registry }: Metrics): MetricsSource => ({
  contentType: registry.contentType,
  read: () => registry.metrics(),
});

/** In a worker of node's cluster: answers the questions of `workersMetrics`. Once in a process. */
export function shareMetrics({ registry }: Metrics): void {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
}

/** In the first process of node's cluster: the metrics of all workers, added up. */
export function workersMetrics(): MetricsSource {
  const workers = new AggregatorRegistry();
  return { contentType: workers.contentType, read: () => workers.clusterMetrics() };
}

/** Answers `GET /metrics` on a server of its own. */
export function answerMetrics({ contentType, read }: MetricsSource): RequestListener {
  return (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => response.setHeader('Content-Type', contentType).end(text),
      () => response.writeHead(500).end(),
    );
  };
}
