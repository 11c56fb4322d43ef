import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Logger } from '@najwa/common/logging';
import type { Express } from 'express';
import { CONFIG_PATH, type ShellOptions } from '../pipelines.js';
import { plugin } from './plugin.js';
import { loadVendor, type Vendor } from './vendor.js';

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

/** Winston's level of a line without colours. */
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
