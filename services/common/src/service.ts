import type { ServiceDefinition } from '@grpc/grpc-js';
import type { Router } from 'express';
import type { EventBus } from './amqp/event-bus.js';
import { createGrpcServer, type GrpcServer, type UnaryHandlers } from './grpc/server.js';
import { createHealth, type HealthCheck } from './health.js';
import { createHttpApp } from './http/app.js';
import { createHttpServer } from './http/server.js';
import type { IdentityVerifier } from './identity.js';
import type { Service } from './lifecycle.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import type { OutboxRelay } from './outbox.js';
import { createSweeper } from './sweeper.js';

/** The ports on which a service listens once it has started. */
export interface ServicePorts {
  http: number;
  grpc: number | undefined;
}

export interface BackendService extends Service {
  /** Known after `start`. */
  ports(): ServicePorts;
}

export interface BackendOptions {
  host: string;
  port: number;
  logger: Logger;
  metrics: Metrics;
  identities: IdentityVerifier;
  /** The /api paths that this service owns. */
  routes: Router;
  grpc?: { port: number; register: (server: GrpcServer) => void };
  bus?: EventBus;
  outbox?: OutboxRelay;
  checks?: Record<string, HealthCheck>;
  /** Clears away what nothing else does: once at the start and then every five minutes, also side by side with other replicas. */
  sweep?: (now: Date) => Promise<void>;
  /** Work to do before anything is served, such as making indexes. */
  prepare?: () => Promise<void>;
  /** Closes the clients, in this order, after everything in flight has finished. */
  dispose: (() => Promise<void> | void)[];
}

/** Registers one gRPC service, for `BackendOptions.grpc`. */
export function grpcService<Definition extends ServiceDefinition>(
  definition: Definition,
  handlers: UnaryHandlers<Definition>,
) {
  return (server: GrpcServer): void => server.add(definition, handlers);
}

/**
 * Puts a service behind the gateway together. It starts from the inside out (database, broker, gRPC, HTTP) and stops in
 * the order that loses nothing: readiness off, intake closed and drained, consumers cancelled, outbox emptied, clients closed.
 */
export function createBackendService(options: BackendOptions): BackendService {
  const { host, logger, metrics, bus, outbox } = options;
  // The broker is no condition: without it a service still answers and accepts, and its outbox keeps the events.
  const health = createHealth(options.checks ?? {}, logger);
  const http = createHttpServer({
    host,
    port: options.port,
    listener: createHttpApp({ logger, metrics, health, identities: options.identities, routes: options.routes }),
  });
  const grpc = options.grpc && createGrpcServer({ host, port: options.grpc.port, logger, metrics });
  const sweeper = options.sweep && createSweeper(options.sweep, logger);
  let ports: ServicePorts | undefined;

  return {
    ports() {
      if (ports === undefined) throw new Error('The service has not started.');
      return ports;
    },
    async start() {
      await options.prepare?.();
      await bus?.start();
      outbox?.start();
      if (grpc) options.grpc?.register(grpc);
      ports = { grpc: await grpc?.listen(), http: await http.listen() };
      health.setServing(true);
      sweeper?.start();
    },
    async stop() {
      health.setServing(false);
      await Promise.all([http.close(), grpc?.close()]);
      await Promise.all([bus?.stopConsuming(), sweeper?.stop()]);
      await outbox?.stop();
      await bus?.stop();
      for (const dispose of options.dispose) await dispose();
    },
  };
}
