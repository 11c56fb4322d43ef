import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ConfigError, type BaseConfig, type Environment } from '../config.js';
import { createLogger } from '../logging/logger.js';

export interface Service {
  start(): Promise<void>;
  /** Fails readiness but keeps serving, so that load balancers move away first. */
  drain(): void;
  /**
   * Stops intake, waits for work in progress, closes resources.
   * @param closeMs for requests in flight
   */
  stop(closeMs?: number): Promise<void>;
}

const STOP_DEADLINE_MS = 10_000;

export interface RunOptions<Config extends BaseConfig> {
  service: string;
  loadConfig: (environment: Environment) => Config;
  create: (config: Config) => Promise<Service>;
}

async function readVersion(): Promise<string> {
  const manifest = path.join(path.dirname(process.argv[1] ?? ''), '../package.json');
  const text = await readFile(manifest, 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { version?: string }).version ?? 'unknown';
}

/** Runs until SIGTERM or SIGINT. A bad configuration or a failed start ends with status 1 and no open resources. */
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

  const { drainMs, closeMs } = config.shutdown;
  const instance = await create(config);
  let isServing = false;
  let stopping: Promise<void> | undefined;
  const stop = (exitCode: number): Promise<void> =>
    (stopping ??= (async () => {
      const isDraining = isServing && drainMs > 0;
      const deadline = setTimeout(
        () => {
          logger.error('did not stop in time');
          process.exit(1);
        },
        (isDraining ? drainMs : 0) + closeMs + STOP_DEADLINE_MS,
      );
      deadline.unref();
      if (isDraining) {
        instance.drain();
        await wait(drainMs);
      }
      await instance.stop(closeMs);
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
    isServing = true;
    logger.info({ version: await readVersion() }, 'ready');
  } catch (error) {
    if (stopping) return;
    logger.error({ err: error }, 'could not start');
    await stop(1);
  }
}
