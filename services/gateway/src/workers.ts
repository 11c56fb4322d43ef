import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createLogger } from '@najwa/common/logging';
import { answerMetrics, shareMetrics, workersMetrics, type Metrics } from '@najwa/common/metrics';
import type { Service } from '@najwa/common/service';
import type { GatewayConfig } from './config.js';
import { saveConnections } from './connections.js';
import type { ConcurrencyLimit, SlotCounts } from './domain/concurrency-limit.js';
import type { WindowCount, Windows } from './domain/windows.js';

export interface GatewayPorts {
  http: number;
  metrics: number | undefined;
}

export interface GatewayService extends Service {
  ports(): GatewayPorts;
}

export interface SharedLimits {
  windows: Record<string, Windows>;
  slots: Record<string, ConcurrencyLimit>;
}

interface Counts {
  type: 'najwa-counts';
  worker: number;
  windows: Record<string, WindowCount[]>;
  slots: Partial<Record<string, SlotCounts>>;
}

/** By as much as a network sends to other workers meanwhile. */
const EXCHANGE_MS = 100;
const RESTART_PAUSES_MS = [100, 1_000, 5_000, 30_000];
/** Restarted at once after that long. */
const STEADY_MS = 60_000;

const isCounts = (message: unknown): message is Counts =>
  typeof message === 'object' && message !== null && (message as { type?: unknown }).type === 'najwa-counts';

const mapValues = <From, To>(values: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

export function joinWorkers({ windows, slots }: SharedLimits, metrics: Metrics): () => void {
  shareMetrics(metrics);
  const worker = cluster.worker?.id ?? 0;
  const onMessage = (message: unknown): void => {
    if (!isCounts(message)) return;
    for (const [name, counts] of Object.entries(message.windows)) windows[name]?.add(counts);
    // One that has ended has no slots.
    for (const [name, limit] of Object.entries(slots)) limit.setOthers(message.worker, message.slots[name] ?? []);
  };
  let lastSlots = '';
  const timer = setInterval(() => {
    const counts: Counts = {
      type: 'najwa-counts',
      worker,
      windows: mapValues(windows, (one) => one.takeCounts()),
      slots: mapValues(slots, (one) => one.inUse()),
    };
    const nowSlots = JSON.stringify(counts.slots);
    const isNews = nowSlots !== lastSlots || Object.values(counts.windows).some(({ length }) => length > 0);
    lastSlots = nowSlots;
    if (isNews && process.connected) process.send?.(counts, () => undefined);
  }, EXCHANGE_MS);
  process.on('message', onMessage);
  return () => {
    clearInterval(timer);
    process.off('message', onMessage);
    // Keeps the process alive until now.
    cluster.worker?.disconnect();
  };
}

/**
 * Starts and restarts workers, hands them connections in turn, relays their counts and sums up metrics. Serves nothing
 * itself.
 */
export function createPrimary(config: GatewayConfig): GatewayService {
  const { workers: size, host, metricsPort, logLevel } = config;
  const logger = createLogger({ service: 'gateway', level: logLevel });
  const metricsServer = createServer(answerMetrics(workersMetrics()));
  const ports = { http: config.port, metrics: metricsPort };
  const listening = new Set<Worker>();
  let isStopping = false;
  let crashes = 0;

  const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const broadcast = (from: number, message: Counts): void => {
    for (const worker of workers())
      if (worker.id !== from && worker.isConnected()) worker.send(message, () => undefined);
  };

  const startWorker = async (): Promise<void> => {
    const startedAt = performance.now();
    const worker = cluster.fork();
    saveConnections(worker, () => workers().some((other) => other !== worker && listening.has(other)));
    worker.on('message', (message: unknown) => {
      if (isCounts(message)) broadcast(worker.id, message);
    });
    worker.once('disconnect', () => listening.delete(worker));
    worker.once('exit', (code: number | null, signal: string | null) => {
      broadcast(worker.id, { type: 'najwa-counts', worker: worker.id, windows: {}, slots: {} });
      if (isStopping) return;
      crashes = performance.now() - startedAt > STEADY_MS ? 0 : crashes + 1;
      const pauseMs = RESTART_PAUSES_MS[Math.min(crashes, RESTART_PAUSES_MS.length) - 1] ?? 0;
      logger.error({ worker: worker.id, code, signal, pauseMs }, 'worker ended, starting another');
      void wait(pauseMs, undefined, { ref: false }).then(() => (isStopping ? undefined : startWorker()));
    });
    const [event] = await Promise.race([
      once(worker, 'listening').then(([address]) => [address as { port: number }]),
      once(worker, 'exit').then(() => [undefined]),
    ]);
    if (event !== undefined) {
      listening.add(worker);
      ports.http = event.port;
    } else if (!isStopping) {
      logger.error({ worker: worker.id }, 'worker did not start');
    }
  };

  /** Once: workers take a second signal for an order to end at once. */
  const signalWorkers = (): void => {
    if (isStopping) return;
    isStopping = true;
    for (const worker of workers()) worker.process.kill('SIGTERM');
  };

  return {
    ports: () => ports,
    async start() {
      await Promise.all(Array.from({ length: size }, startWorker));
      if (workers().length === 0) throw new Error('No worker could be started.');
      if (metricsPort === undefined) return;
      metricsServer.listen(metricsPort, host);
      await once(metricsServer, 'listening');
      ports.metrics = (metricsServer.address() as AddressInfo).port;
    },
    drain: signalWorkers,
    async stop() {
      const ended = workers().map((worker) => once(worker, 'exit'));
      signalWorkers();
      await Promise.all(ended);
      metricsServer.close();
    },
  };
}
