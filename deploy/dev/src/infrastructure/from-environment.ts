import { type Environment, SetupError, valueOf } from '../bootstrap/environment.js';
import { accepts } from '../processes/ports.js';
import type { PartName, ProvidedPart, Provider } from './part.js';

/** A part is given if its first variable is set. */
export const VARIABLES: Readonly<Record<PartName, readonly [string, ...string[]]>> = {
  mongo: ['MONGO_URL'],
  amqp: ['AMQP_URL'],
  s3: ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'],
  ffmpeg: ['FFMPEG_BIN'],
};

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'mongodb:': 27_017,
  'amqp:': 5_672,
  'amqps:': 5_671,
  'http:': 80,
  'https:': 443,
};

const ANSWER_TIMEOUT_MS = 5_000;

/** Undefined without a single host, as with mongodb+srv. */
export function probeOf(address: string): { host: string; port: number } | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port } = new URL(address);
  const number = port === '' ? DEFAULT_PORTS[protocol] : Number(port);
  return number === undefined || hostname === '' ? undefined : { host: hostname.replace(/^\[|\]$/g, ''), port: number };
}

/** A given server that does not respond is an error: no other source is tried. */
export function fromEnvironment(
  name: PartName,
  environment: Environment,
  works?: (value: string) => Promise<boolean>,
): Provider {
  return {
    source: 'environment',
    async take(): Promise<ProvidedPart | undefined> {
      const variables = VARIABLES[name];
      const value = valueOf(environment, variables[0]);
      if (value === undefined) return undefined;
      const missing = variables.filter((variable) => valueOf(environment, variable) === undefined);
      if (missing.length > 0) throw new SetupError(`${variables[0]} is set, but not ${missing.join(' and ')}.`);
      const probe = probeOf(value);
      const answers = works ? await works(value) : !probe || (await accepts(probe.port, probe.host, ANSWER_TIMEOUT_MS));
      if (!answers) throw new SetupError(`${variables[0]} is set, but the server does not respond.`);
      return {
        name,
        source: 'environment',
        description: variables[0],
        env: Object.fromEntries(variables.map((variable) => [variable, environment[variable] ?? ''])),
        stop: () => Promise.resolve(),
      };
    },
  };
}
