import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { Express, RequestHandler } from 'express';

/** Express Gateway's own configuration object. Each gateway has one. */
export interface VendorConfig {
  gatewayConfigPath?: string;
  gatewayConfig: { policies: string[] };
  /** Reads the file and validates it with Express Gateway's schema. */
  loadGatewayConfig(): void;
  /** Ours: the handlers of this gateway's policies, by name. */
  handlers?: Record<string, RequestHandler>;
}

export interface VendorPolicy {
  name: string;
  schema: { $id: string };
  /** Creates the middleware for one step of one pipeline. */
  policy: (parameters: unknown, config: VendorConfig) => RequestHandler;
}

/** Express Gateway's record of an endpoint, with our own `service` in it. */
export interface VendorEndpoint {
  apiEndpointName: string;
  service: string;
}

type VendorLogger = Readable & { silent: boolean; clear(): void };

/** The parts of Express Gateway that we use. It has no types for them. */
export interface Vendor {
  Config: new () => VendorConfig;
  /** Builds the application. It listens only if the configuration has an `http` section. */
  boot(options: {
    plugins: { policies: VendorPolicy[]; gatewayRoutes: ((app: Express) => void)[] };
    config: VendorConfig;
  }): Promise<unknown>;
  loggers: VendorLogger[];
  eventBus: NodeJS.EventEmitter;
}

/**
 * Replaces the context that Express Gateway creates for every request by one shared object. Creating it costs more than
 * any of our policies, and nothing uses it: the request-id policy makes the id.
 */
function replaceContext(require: NodeJS.Require): void {
  const path = require.resolve('express-gateway/lib/gateway/context');
  if (require.cache[path] !== undefined) return;
  const shared = Object.freeze({});
  // `new` returns the object that a constructor returns.
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

/**
 * Loads Express Gateway with silent loggers: while loading, it reads and reports on a configuration that is not ours.
 */
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
