import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { parseEnv, promisify } from 'node:util';

/** The project of `npm run test:compose`, and one that it only removes. */
const { NAJWA_RUNNING_SYSTEM = '{}', NAJWA_COMPOSE_SECOND = '[]', NAJWA_COMPOSE_VARIABLES = '' } = process.env;
const { compose = [] } = JSON.parse(NAJWA_RUNNING_SYSTEM) as { compose?: string[] };
const second = JSON.parse(NAJWA_COMPOSE_SECOND) as string[];

export const SERVICES = ['gateway', 'web', 'auth', 'messages', 'media', 'tracking', 'chatbot', 'admin'] as const;
export const SERVERS = ['mongo', 'rabbitmq', 'minio'] as const;

const MAX_OUTPUT = 256 * 1024 * 1024;

async function runDocker(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { env, maxBuffer: MAX_OUTPUT });
  return stdout.trim();
}

/** @returns the output. @throws if it fails */
export const docker = (...args: string[]): Promise<string> => runDocker(args, process.env);

/** Runs `docker compose` on the project. */
export const inProject = (...args: string[]): Promise<string> => docker(...compose, ...args);

/** With the same secrets, new volumes and a free port. */
export const inSecondProject = (...args: string[]): Promise<string> =>
  runDocker([...second, ...args], { ...process.env, PORT: '0', DOOR: '10.211.79' });

export const secondUrl = async (): Promise<string> => `http://${await inSecondProject('port', 'gateway', '8080')}`;

export const imageOf = (service: string): string => `najwa/${service}:dev`;

export const containerOf = (service: string): Promise<string> => inProject('ps', '--all', '--quiet', service);

/** A key is represented by a stretch of its base64. */
export async function secretValues(): Promise<string[]> {
  const variables = parseEnv(await readFile(NAJWA_COMPOSE_VARIABLES, 'utf8'));
  return Object.entries(variables).flatMap(([name, value = '']) => {
    if (name.endsWith('PRIVATE_KEY')) return [/-----\\n([A-Za-z0-9+/=]+)/.exec(value)?.[1] ?? value];
    return /(PASSWORD|SECRET|(SECRET|ACCESS)_KEY|(?<!PUBLIC)_KEYS)$/.test(name) ? [value] : [];
  });
}

/** Six private keys, two passwords, the file store's two keys, the administrators' secret, and four lists of keys. */
export const SECRETS_AT_LEAST = 15;
