import { ConfigError, type BaseConfig, type Environment } from './config.js';
import { createLogger } from './logger.js';

/** A component that is started once and stopped once. */
export interface Service {
  start(): Promise<void>;
  /** Stops intake, waits for work in progress, then closes all resources. */
  stop(): Promise<void>;
}

const STOP_DEADLINE_MS = 15_000;

export interface RunOptions<Config extends BaseConfig> {
  service: string;
  loadConfig: (environment: Environment) => Config;
  create: (config: Config) => Promise<Service>;
}

/**
 * Runs a service process: reads the configuration, starts the service, and stops it on SIGTERM or SIGINT.
 * An invalid configuration is reported on standard error with exit status 1. A failed start releases all resources.
 */
export async function runService<Config extends BaseConfig>({
  service,
  loadConfig,
  create,
}: RunOptions<Config>): Promise<void> {
  let config: Config;
  try {
    config = loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${service}: ${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  const logger = createLogger({ service, level: config.logLevel });

  const instance = await create(config);
  let stopping: Promise<void> | undefined;
  const stop = (exitCode: number): Promise<void> =>
    (stopping ??= (async () => {
      const deadline = setTimeout(() => {
        logger.error('did not stop in time');
        process.exit(1);
      }, STOP_DEADLINE_MS);
      deadline.unref();
      await instance.stop();
      process.exitCode = exitCode;
    })());

  const onSignal = (): void => {
    logger.info('stopping');
    stop(0).catch((error: unknown) => {
      logger.error({ err: error }, 'stopping failed');
      process.exit(1);
    });
  };
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);
  process.on('unhandledRejection', (error) => {
    logger.error({ err: error }, 'unhandled rejection');
    stop(1).catch(() => process.exit(1));
  });

  try {
    await instance.start();
    logger.info('ready');
  } catch (error) {
    if (stopping) return;
    logger.error({ err: error }, 'could not start');
    await stop(1);
  }
}
