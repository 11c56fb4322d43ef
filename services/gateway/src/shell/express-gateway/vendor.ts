import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { Express, RequestHandler } from 'express';

export interface VendorConfig {
  gatewayConfigPath?: string;
  gatewayConfig: { policies: string[] };
  /** Validates with Express Gateway's schema. */
  loadGatewayConfig(): void;
  handlers?: Record<string, RequestHandler>;
}

export interface VendorPolicy {
  name: string;
  schema: { $id: string };
  policy: (parameters: unknown, config: VendorConfig) => RequestHandler;
}

export interface VendorEndpoint {
  apiEndpointName: string;
  service: string;
}

type VendorLogger = Readable & { silent: boolean; clear(): void };

/** Express Gateway has no types. */
export interface Vendor {
  Config: new () => VendorConfig;
  /** Listens only with an `http` section. */
  boot(options: {
    plugins: { policies: VendorPolicy[]; gatewayRoutes: ((app: Express) => void)[] };
    config: VendorConfig;
  }): Promise<unknown>;
  loggers: VendorLogger[];
  eventBus: NodeJS.EventEmitter;
}

/** Shares one context object among requests: creating it costs more than any of our policies, and nothing uses it. */
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

/** Silent: while loading, it reports on a foreign configuration. */
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
