import { SetupError } from '../bootstrap/environment.js';
import { fromDocker } from './docker.js';
import { fromEnvironment } from './from-environment.js';
import type { ProviderContext, Provider } from './part.js';
import { rabbitmqServer, startRabbitmq } from './programs/rabbitmq.js';

export const amqpProviders = (context: ProviderContext): Provider[] => [
  fromEnvironment('amqp', context.environment),
  {
    source: 'path',
    async take() {
      const server = await rabbitmqServer();
      return server === undefined ? undefined : startRabbitmq(server, 'path', context);
    },
  },
  fromDocker(
    {
      name: 'amqp',
      service: 'rabbitmq',
      port: 5_672,
      data: '/var/lib/rabbitmq',
      environment: ({ user, password }) => ({ RABBITMQ_DEFAULT_USER: user, RABBITMQ_DEFAULT_PASS: password }),
      readyLine: /Server startup complete/,
      env: (address, { user, password }) => ({ AMQP_URL: `amqp://${user}:${password}@${address}` }),
    },
    context,
  ),
  {
    source: 'prepared',
    async take(step) {
      step.doing('installing rabbitmq-server from Debian');
      await context.debian.install(['rabbitmq-server']);
      const server = await rabbitmqServer();
      if (server === undefined) throw new SetupError('rabbitmq-server was installed, but is not on PATH.');
      step.doing('starting RabbitMQ');
      return startRabbitmq(server, 'prepared', context);
    },
  },
];
