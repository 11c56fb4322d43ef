import { ConfigError } from '@najwa/common/config';
import { SetupError, type Environment } from '../bootstrap/environment.js';
import { environmentOf, ownVariablesOf, SERVICE_NAMES, type Wiring } from './environment.js';
import { SERVICE_MODULES } from './service-module.js';

const INFRASTRUCTURE = {
  MONGO_URL: 'mongodb://127.0.0.1',
  AMQP_URL: 'amqp://127.0.0.1',
  S3_ENDPOINT: 'http://127.0.0.1',
  S3_ACCESS_KEY: 'key',
  S3_SECRET_KEY: 'secret',
  FFMPEG_BIN: 'ffmpeg',
};

const given = (names: readonly string[], environment: Environment): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));

/**
 * Checks all services before any starts.
 * @throws {SetupError} listing all errors
 */
export async function checkConfiguration(wiring: Omit<Wiring, 'infrastructure'>): Promise<void> {
  const explicit = given(Object.keys(INFRASTRUCTURE), wiring.own);
  const faults = new Set<string>();
  for (const service of SERVICE_NAMES) {
    if (Object.keys(explicit).length === 0 && ownVariablesOf(service, wiring.own).length === 0) continue;
    const { loadConfig } = await SERVICE_MODULES[service]();
    try {
      loadConfig(environmentOf(service, { ...wiring, infrastructure: { ...INFRASTRUCTURE, ...explicit } }));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) faults.add(fault);
    }
  }
  if (faults.size > 0)
    throw new SetupError(
      `The configuration has ${faults.size === 1 ? 'a fault' : `${faults.size} faults`}:\n${[...faults].map((fault) => `  ${fault}`).join('\n')}`,
    );
}
