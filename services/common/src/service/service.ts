import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { Router } from 'express';
import type { EventBus } from '../amqp/event-bus.js';
import { AppError, toAppError } from '../errors/errors.js';
import { GrpcServer, type UnaryHandlers } from '../grpc/server.js';
import { createCallerVerifier, type PublicKeys } from '../grpc/service-token.js';
import { Health, type HealthCheck } from './health.js';
import { createHttpApp } from '../http/app.js';
import { createHttpServer } from '../http/server.js';
import type { IdentityVerifier } from '../identity/identity.js';
import type { Service } from './lifecycle.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Database } from '../mongo/database.js';
import { type Migration, MigrationRunner } from '../mongo/migrations.js';
import type { OutboxRelay } from '../amqp/outbox.js';
import { SweepClock, Sweeper } from './sweeper.js';
import { NO_TRACING, type Tracing } from '../tracing/tracing.js';

export interface ServicePorts {
  http: number;
  grpc: number | undefined;
}

export interface BackendService extends Service {
  /** After `start`. */
  ports(): ServicePorts;
}

export interface BackendOptions {
  host: string;
  port: number;
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing;
  identities: IdentityVerifier;
  routes: Router;
  grpc?: { port: number; publicKeys: PublicKeys; register: (server: GrpcServer) => void };
  /** Connected first, closed last, required for readiness. */
  database?: Database;
  bus?: EventBus;
  outbox?: OutboxRelay;
  checks?: Record<string, HealthCheck>;
  /** Runs at start and every five minutes, by the database's clock. Must be safe for concurrent replicas. */
  sweep?: (now: Date) => Promise<void>;
  clock?: () => Date;
  /**
   * Steps before the first request, by dependency; retried while it is unavailable. `database` includes its connection.
   */
  prepare?: Readonly<Record<string, () => Promise<void>>>;
  migrations?: readonly Migration[];
  /** After all work in progress, before the database closes. */
  dispose: (() => Promise<void> | void)[];
}

export function grpcService<Definition extends ServiceDefinition>(
  definition: Definition,
  handlers: UnaryHandlers<Definition>,
) {
  return (server: GrpcServer): void => server.add(definition, handlers);
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

interface WaitOptions {
  dependency: string;
  health: Health;
  logger: Logger;
  signal: AbortSignal;
}

async function retryWhileUnavailable(
  run: () => Promise<void>,
  { dependency, health, logger, signal }: WaitOptions,
): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      await run();
      break;
    } catch (error) {
      if (toAppError(error).code !== 'unavailable') throw error;
      // Once: health checks keep reporting it.
      if (pauseMs === FIRST_PAUSE_MS) logger.warn({ err: error, dependency }, `waiting for the ${dependency}`);
      health.setWaiting(dependency);
      await wait(pauseMs, undefined, { signal });
    }
  }
  health.setWaiting(undefined);
}

/**
 * Health checks respond at once; requests wait for `prepare`. Shutdown: readiness off, clients sent away, intake closed
 * and drained, consumers cancelled, outbox published, clients closed.
 */
export function createBackendService(options: BackendOptions): BackendService {
  const { host, logger, metrics, tracing = NO_TRACING, bus, outbox, database } = options;
  // Readiness ignores the broker: the outbox keeps events.
  const checks = { ...(database && { database: () => database.ping() }), ...options.checks };
  const health = new Health(checks, logger);
  let hasStarted = false;
  const routes = Router();
  routes.use((_request, _response, next) => {
    if (hasStarted) next();
    else throw new AppError({ code: 'unavailable', message: 'The service is starting.', retryAfter: 2 });
  }, options.routes);
  const http = createHttpServer({
    host,
    port: options.port,
    listener: createHttpApp({ logger, metrics, tracing, health, identities: options.identities, routes }),
  });
  const grpc =
    options.grpc &&
    new GrpcServer({
      host,
      port: options.grpc.port,
      logger,
      metrics,
      tracing,
      callers: createCallerVerifier(options.grpc.publicKeys),
    });
  const sweeper =
    options.sweep &&
    database &&
    new Sweeper(
      options.sweep,
      new SweepClock({ connection: database.connection, own: options.clock, logger, metrics }),
      logger,
    );
  const migrations =
    database &&
    new MigrationRunner({
      connection: database.connection,
      migrations: options.migrations ?? [],
      logger,
      metrics,
    });
  const stopping = new AbortController();
  let ports: ServicePorts | undefined;

  return {
    ports() {
      if (ports === undefined) throw new Error('The service has not started.');
      return ports;
    },
    async start() {
      const httpPort = await http.listen();
      const { database: onDatabase, ...others } = options.prepare ?? {};
      const steps: Record<string, () => Promise<void>> = {
        ...(database && {
          database: async () => {
            await database.connect();
            await onDatabase?.();
          },
        }),
        ...others,
      };
      for (const [dependency, step] of Object.entries(steps))
        await retryWhileUnavailable(step, { dependency, health, logger, signal: stopping.signal });
      await bus?.start();
      outbox?.start();
      if (grpc) options.grpc?.register(grpc);
      ports = { grpc: await grpc?.listen(), http: httpPort };
      hasStarted = true;
      health.setServing(true);
      sweeper?.start();
      migrations?.start();
    },
    drain() {
      health.setServing(false);
      http.drain();
    },
    async stop(closeMs) {
      stopping.abort();
      health.setServing(false);
      await Promise.all([http.close(closeMs), grpc?.close(closeMs)]);
      await Promise.all([bus?.stopConsuming(), sweeper?.stop(), migrations?.stop()]);
      await outbox?.stop();
      await bus?.stop();
      for (const dispose of options.dispose) await dispose();
      await database?.close();
      await tracing.close();
    },
  };
}
