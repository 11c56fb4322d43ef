import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { Express, RequestHandler } from 'express';

/** Express Gateway's own configuration object, of which each gateway has one. */
export interface VendorConfig {
  gatewayConfigPath?: string;
  gatewayConfig: { policies: string[] };
  /** Reads the file and checks it against Express Gateway's schema. */
  loadGatewayConfig(): void;
  /** Ours: what the registered policies of this gateway stand for. */
  handlers?: Record<string, RequestHandler>;
}

export interface VendorPolicy {
  name: string;
  schema: { $id: string };
  /** Makes the middleware for one step of one pipeline. */
  policy: (parameters: unknown, config: VendorConfig) => RequestHandler;
}

/** What Express Gateway knows of a request's endpoint, our own `service` included. */
export interface VendorEndpoint {
  apiEndpointName: string;
  service: string;
}

type VendorLogger = Readable & { silent: boolean; clear(): void };

/** The parts of Express Gateway that we use. It brings no types for them. */
export interface Vendor {
  Config: new () => VendorConfig;
  /** Puts the application together. It listens by itself only if the configuration has an `http` section. */
  boot(options: {
    plugins: { policies: VendorPolicy[]; gatewayRoutes: ((app: Express) => void)[] };
    config: VendorConfig;
  }): Promise<unknown>;
  loggers: VendorLogger[];
  eventBus: NodeJS.EventEmitter;
}

/**
 * Express Gateway gives every request a context with an id, which costs more than any of our policies: a fresh object
 * that is the prototype of another. Ours is one object, and the id is the request-id policy's.
 */
function replaceContext(require: NodeJS.Require): void {
  const path = require.resolve('express-gateway/lib/gateway/context');
  if (require.cache[path] !== undefined) return;
  const shared = Object.freeze({});
  // What a constructor returns is what `new` gives.
  const exports = function SharedContext() {
    return shared;
  };
  require.cache[path] = {
    id: path,
    path: dirname(path),
    filename: path,
    loaded: true,
    exports,
    children: [],
    paths: [],
    isPreloading: false,
    parent: undefined,
    require,
  };
}

/** Loads Express Gateway, with its loggers silent from the beginning: the first thing it does is to read a configuration that is not ours. */
export function loadVendor(): Vendor {
  const require = createRequire(import.meta.url);
  replaceContext(require);
  const { createLoggerWithLabel: _, ...loggers } = require('express-gateway/lib/logger') as Record<
    string,
    VendorLogger
  >;
  for (const logger of Object.values(loggers)) {
    logger.silent = true;
    logger.clear();
  }
  return {
    Config: require('express-gateway/lib/config/config') as Vendor['Config'],
    boot: require('express-gateway/lib/gateway') as Vendor['boot'],
    loggers: Object.values(loggers),
    eventBus: require('express-gateway/lib/eventBus') as NodeJS.EventEmitter,
  };
}
