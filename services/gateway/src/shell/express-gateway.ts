import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Writable, type Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Logger } from '@najwa/common/logging';
import type { Express, RequestHandler } from 'express';
import { CONFIG_PATH, ENDPOINT_STEP, noteEndpoint, policyNamed, type ShellOptions } from './pipelines.js';

interface VendorConfig {
  gatewayConfigPath?: string;
  gatewayConfig: { policies: string[] };
  /** Validates with Express Gateway's schema. */
  loadGatewayConfig(): void;
  handlers?: Record<string, RequestHandler>;
}

interface VendorPolicy {
  name: string;
  schema: { $id: string };
  policy: (parameters: unknown, config: VendorConfig) => RequestHandler;
}

interface VendorEndpoint {
  apiEndpointName: string;
  service: string;
}

type VendorLogger = Readable & { silent: boolean; clear(): void };

interface Vendor {
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
function loadVendor(): Vendor {
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

const endpoint: RequestHandler = (request, response, next) => {
  const { apiEndpoint } = (request as unknown as { egContext: { apiEndpoint: VendorEndpoint } }).egContext;
  noteEndpoint(response, apiEndpoint.apiEndpointName, apiEndpoint.service);
  next();
};

/**
 * Express Gateway registers policies per process, so a registration looks its handler up in the gateway's
 * configuration.
 */
function registration(name: string): VendorPolicy {
  return {
    name,
    schema: { $id: `najwa://policies/${name}` },
    policy: (_parameters, { handlers }) => (name === ENDPOINT_STEP ? endpoint : policyNamed(name, handlers)),
  };
}

function plugin(names: readonly string[], onApp: (app: Express) => void) {
  return { policies: names.map(registration), gatewayRoutes: [onApp] };
}

/**
 * Builds Express Gateway's application from gateway.config.yml and our policies. Several can coexist: its process-wide
 * state holds nothing of ours, and it neither listens nor watches.
 */
export async function bootExpressGateway({ policies, logger }: ShellOptions): Promise<Express> {
  const vendor = loadVendor();
  const config = new vendor.Config();
  config.gatewayConfigPath = CONFIG_PATH;
  config.loadGatewayConfig();
  config.handlers = policies;

  let app: Express | undefined;
  const onApp = (created: Express): void => {
    app = created;
    created.disable('etag');
  };
  const stopForwarding = forwardLogs(vendor, logger);
  try {
    await vendor.boot({ plugins: plugin(config.gatewayConfig.policies, onApp), config });
  } finally {
    stopForwarding();
    // Each boot adds a reload listener, which would leak the application.
    vendor.eventBus.removeAllListeners('hot-reload');
  }
  if (app === undefined) throw new Error('Express Gateway created no application.');
  return app;
}

const LEVEL: unique symbol = Symbol.for('level') as never;

const FORWARDED_LEVELS = new Set(['error', 'warn']);

/** Logs boot warnings of Express Gateway. @returns stops it */
function forwardLogs({ loggers }: Vendor, logger: Logger): () => void {
  const sinks = loggers.map((source) => {
    const sink = new Writable({
      objectMode: true,
      write: (info: { message: string; [LEVEL]: string }, _encoding, done) => {
        if (FORWARDED_LEVELS.has(info[LEVEL]))
          logger.warn({ warning: stripVTControlCharacters(info.message) }, 'express gateway warning');
        done();
      },
    });
    source.silent = false;
    source.pipe(sink);
    return { source, sink };
  });
  return () => {
    for (const { source, sink } of sinks) {
      source.silent = true;
      source.unpipe(sink);
    }
  };
}
