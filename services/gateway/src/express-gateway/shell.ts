import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Logger } from '@najwa/common';
import type { Express, RequestHandler } from 'express';
import { plugin } from './plugin.js';
import { loadVendor, type Vendor } from './vendor.js';

export interface ShellOptions {
  /** By the names that gateway.config.yml uses. */
  policies: Record<string, RequestHandler>;
  logger: Logger;
}

const CONFIG_PATH = fileURLToPath(new URL('../../gateway.config.yml', import.meta.url));

/**
 * Lets Express Gateway put its application together from gateway.config.yml and our policies. What it keeps for the whole
 * process is kept free of this gateway's things, so that several can run side by side: it gets a configuration object of
 * its own, listens to nothing, watches nothing and logs only while it boots.
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
  const stopListening = listenTo(vendor, logger);
  try {
    await vendor.boot({ plugins: plugin(config.gatewayConfig.policies, onApp), config });
  } finally {
    stopListening();
    // Each boot leaves a listener that holds all it built, for a reload of the configuration that we do not offer.
    vendor.eventBus.removeAllListeners('hot-reload');
  }
  if (app === undefined) throw new Error('Express Gateway made no application.');
  return app;
}

/** Where winston keeps a line's level, apart from the coloured one. */
const LEVEL: unique symbol = Symbol.for('level') as never;

const COMPLAINTS = new Set(['error', 'warn']);

/** Passes what Express Gateway says while it boots, which is why it failed, on to our own log. @returns a function that ends it */
function listenTo({ loggers }: Vendor, logger: Logger): () => void {
  const sinks = loggers.map((source) => {
    const sink = new Writable({
      objectMode: true,
      write: (info: { message: string; [LEVEL]: string }, _encoding, done) => {
        if (COMPLAINTS.has(info[LEVEL]))
          logger.warn({ complaint: stripVTControlCharacters(info.message) }, 'express gateway complains');
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
