import type { RequestListener } from 'node:http';
import { AggregatorRegistry } from 'prom-client';
import type { Metrics } from './metrics.js';

export interface MetricsSource {
  contentType: string;
  read: () => Promise<string>;
}

export const processMetrics = ({ registry }: Metrics): MetricsSource => ({
  contentType: registry.contentType,
  read: () => registry.metrics(),
});

/** In a cluster worker: answers `workersMetrics`. Call once per process. */
export function shareMetrics({ registry }: Metrics): void {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
}

export function workersMetrics(): MetricsSource {
  const workers = new AggregatorRegistry();
  return { contentType: workers.contentType, read: () => workers.clusterMetrics() };
}

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
