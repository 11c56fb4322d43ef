import type { RequestListener } from 'node:http';
import { createHttpServer, type Metrics, type Service } from '@najwa/common';
import type { Express, Request, Response } from 'express';
import type { GatewayConfig } from './config.js';
import { createContext, type GatewayContext } from './context.js';
import { subscribeToEvents } from './events/index.js';
import { createGatewayServer } from './express-gateway/server.js';
import { bootExpressGateway } from './express-gateway/shell.js';
import { createPolicies, type Policies } from './policies/index.js';

export interface GatewayPorts {
  http: number;
  metrics: number | undefined;
}

export interface GatewayService extends Service {
  /** Known after `start`. */
  ports(): GatewayPorts;
}

/** The gateway: every request from outside goes through it. */
export async function create(config: GatewayConfig, overrides: Partial<GatewayContext> = {}): Promise<GatewayService> {
  const context = await createContext(config, overrides);
  const { logger, health, bus } = context;
  subscribeToEvents(context);

  const { host, port, metricsPort } = config;
  const policies = createPolicies(context, config);
  const app = await bootExpressGateway({ policies: policies.named, logger });
  const server = createGatewayServer({ host, port, app, listener: createListener(policies, app) });
  const metricsServer =
    metricsPort === undefined
      ? undefined
      : createHttpServer({ host, port: metricsPort, listener: metricsListener(context.metrics) });
  let ports: GatewayPorts | undefined;
  let stopping: Promise<void> | undefined;

  return {
    ports() {
      if (ports === undefined) throw new Error('The service has not started.');
      return ports;
    },
    async start() {
      await bus.start();
      for (const { start } of context.batchers) start();
      ports = { metrics: await metricsServer?.listen(), http: await server.listen() };
      health.setServing(true);
    },
    stop: () =>
      (stopping ??= (async () => {
        health.setServing(false);
        await server.close();
        await Promise.all(context.batchers.map(({ stop }) => stop()));
        await bus.stop();
        await context.upstreams.close();
        context.auth.close();
        await metricsServer?.close();
      })()),
  };
}

/** Runs our own handlers, then Express Gateway's application, and answers the errors of both. */
function createListener({ front, onError }: Policies, app: Express): (request: Request, response: Response) => void {
  return (request, response) => {
    const refuse = (error: unknown): void => {
      onError(error, request, response, () => undefined);
    };
    try {
      front(request, response, (error?: unknown) => {
        if (error === undefined) app(request, response, refuse);
        else refuse(error);
      });
    } catch (error) {
      refuse(error);
    }
  };
}

function metricsListener({ registry }: Metrics): RequestListener {
  return (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.setHeader('Content-Type', registry.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  };
}
