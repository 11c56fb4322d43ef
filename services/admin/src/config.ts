import { baseEnvironment, identityEnvironment, readConfig, type Environment } from '@najwa/common';
import { z } from 'zod';

const shape = z.object({ ...baseEnvironment, ...identityEnvironment }).transform((environment) => ({
  host: environment.HOST,
  port: environment.PORT,
  logLevel: environment.LOG_LEVEL,
  identityPublicKey: environment.IDENTITY_PUBLIC_KEY,
}));

export type AdminConfig = z.output<typeof shape>;

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): AdminConfig => readConfig(shape, environment);
