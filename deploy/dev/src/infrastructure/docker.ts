import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { inCheckout, Unavailable } from '../bootstrap/environment.js';
import type { Credentials } from '../bootstrap/keys.js';
import { freePort } from '../processes/ports.js';
import type { Step } from '../reporter.js';
import { loadCredentials, type ProvidedPart, type ProviderContext, type Provider } from './part.js';

const ENGINE_TIMEOUT_MS = 5_000;

export interface ContainerPart {
  name: ProvidedPart['name'];
  /** Of docker-compose.yml, for its image. */
  service: 'mongo' | 'rabbitmq' | 'minio';
  /** Inside the container. */
  port: number;
  /** Inside the container. */
  data: string;
  command?: string[];
  environment?: (credentials: Credentials) => Record<string, string>;
  /** Of the log. */
  readyLine: RegExp;
  env: (address: string, credentials: Credentials) => Record<string, string>;
}

export async function composeImage(service: ContainerPart['service']): Promise<string> {
  const { services } = parse(await readFile(inCheckout('docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { image: string }>;
  };
  const image = services[service]?.image;
  if (image === undefined) throw new Error(`docker-compose.yml names no image for ${service}.`);
  return image;
}

const within = <Value>(work: Promise<Value>, timeoutMs: number): Promise<Value | undefined> =>
  Promise.race([work, delay(timeoutMs, undefined, { ref: false })]);

async function start(
  part: ContainerPart,
  { supervisor, persistent, signal }: ProviderContext,
  step: Step,
): Promise<ProvidedPart> {
  // Large, and rarely needed.
  const { GenericContainer, getContainerRuntimeClient, ImageName, Wait } = await import('testcontainers');
  const client = await within(
    getContainerRuntimeClient().catch(() => undefined),
    ENGINE_TIMEOUT_MS,
  );
  if (!client) throw new Unavailable('no Docker engine answers');
  const name = await composeImage(part.service);
  const image = ImageName.fromString(name);
  try {
    if (!(await client.image.exists(image))) {
      step.doing(`pulling ${name}`);
      await client.image.pull(image);
    }
  } catch (error) {
    throw new Unavailable(`the Docker engine has no image ${name} and could not pull it`, { cause: error });
  }
  signal.throwIfAborted();

  step.doing(`starting ${name}`);
  const host = await freePort();
  const credentials = await loadCredentials(supervisor, part.service);

  class Container extends GenericContainer {
    // MongoDB has no password here: loopback only, if the engine is local.
    protected override beforeContainerCreated(): Promise<void> {
      if (client?.info.containerRuntime.host === 'localhost') {
        this.hostConfig.PortBindings = { [`${part.port}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(host) }] };
      }
      return Promise.resolve();
    }
  }

  let container = new Container(name)
    .withExposedPorts({ container: part.port, host })
    // RabbitMQ stores its data under its host name.
    .withHostname('najwa')
    .withEnvironment(part.environment?.(credentials) ?? {})
    .withWaitStrategy(Wait.forLogMessage(part.readyLine))
    .withStartupTimeout(120_000);
  if (part.command) container = container.withCommand(part.command);
  if (persistent) {
    // The broker keeps the credentials of its first start.
    const installation = createHash('sha256').update(`${supervisor.folder} ${credentials.user}`).digest('hex');
    container = container.withBindMounts([
      { source: `najwa-${installation.slice(0, 12)}-${part.name}`, target: part.data },
    ]);
  }
  const started = await container.start().catch((error: unknown) => {
    throw new Unavailable(`the Docker engine could not start ${name}`, { cause: error });
  });
  return {
    name: part.name,
    source: 'docker',
    description: name,
    env: part.env(`${started.getHost()}:${host}`, credentials),
    stop: async () => {
      // Named volumes stay. An engine that was stopped has stopped its containers.
      await started.stop({ timeout: 10_000, removeVolumes: true }).catch(() => undefined);
    },
  };
}

/** The official image, with persistent data in a named volume. */
export const fromDocker = (part: ContainerPart, context: ProviderContext): Provider => ({
  source: 'docker',
  take: (step) => start(part, context, step),
});
