import cluster from 'node:cluster';
import { createHttpServer } from '@najwa/common/http';
import { answerMetrics, processMetrics } from '@najwa/common/metrics';
import type { Express, Request, Response } from 'express';
import type { GatewayConfig } from './config.js';
import { createContext, type GatewayContext } from './context.js';
import { subscribeToEvents } from './events/index.js';
import { createPolicies, type Policies } from './policies/index.js';
import { bootExpressGateway } from './shell/express-gateway.js';
import { bootPlain } from './shell/plain.js';
import { createGatewayServer } from './shell/server.js';
import { createPrimary, joinWorkers, type GatewayPorts, type GatewayService } from './workers.js';

export const create = (config: GatewayConfig, overrides?: Partial<GatewayContext>): Promise<GatewayService> =>
  config.workers > 1 && !cluster.isWorker ? Promise.resolve(createPrimary(config)) : createOne(config, overrides);

async function createOne(config: GatewayConfig, overrides: Partial<GatewayContext> = {}): Promise<GatewayService> {
  const context = await createContext(config, overrides);
  const { logger, health, bus } = context;
  subscribeToEvents(context);

  const { host, port, metricsPort } = config;
  const policies = createPolicies(context, config);
  const boot = config.shell === 'plain' ? bootPlain : bootExpressGateway;
  const app = await boot({ policies: policies.named, logger });
  const server = createGatewayServer({ host, port, app, listener: createListener(policies, app) });
  const metricsServer =
    metricsPort === undefined || cluster.isWorker
      ? undefined
      : createHttpServer({ host, port: metricsPort, listener: answerMetrics(processMetrics(context.metrics)) });
  let ports: GatewayPorts | undefined;
  let stopping: Promise<void> | undefined;
  let leaveWorkers = (): void => undefined;

  return {
    ports() {
      if (ports === undefined) throw new Error('The service has not started.');
      return ports;
    },
    async start() {
      if (cluster.isWorker) leaveWorkers = joinWorkers(context.limits, context.metrics);
      await bus.start();
      for (const batcher of context.batchers) batcher.start();
      context.pages.start();
      context.streams.start();
      ports = { metrics: await metricsServer?.listen(), http: await server.listen() };
      health.setServing(true);
    },
    drain() {
      health.setServing(false);
      // Clients reconnect to another gateway.
      context.streams.close();
      server.drain();
    },
    stop: (closeMs) =>
      (stopping ??= (async () => {
        health.setServing(false);
        context.streams.close();
        await server.close(closeMs);
        await Promise.all(context.batchers.map((batcher) => batcher.stop()));
        await bus.stop();
        await context.pages.stop();
        await context.painter.close();
        await context.upstreams.close();
        context.auth.close();
        context.messages.close();
        await metricsServer?.close();
        await context.tracing.close();
        leaveWorkers();
      })()),
  };
}

function createListener(
  { fastPath, front, onError }: Policies,
  app: Express,
): (request: Request, response: Response) => void {
  return (request, response) => {
    const refuse = (error: unknown): void => {
      onError(error, request, response, () => undefined);
    };
    try {
      if (fastPath(request, response)) return;
      front(request, response, (error?: unknown) => {
        if (error === undefined) app(request, response, refuse);
        else refuse(error);
      });
    } catch (error) {
      refuse(error);
    }
  };
}
