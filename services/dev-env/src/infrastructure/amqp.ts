import { SetupError } from '../bootstrap/environment.js';
import { fromDocker } from './docker.js';
import { fromEnvironment } from './from-environment.js';
import type { Setting, Way } from './part.js';
import { rabbitmqServer, startRabbitmq } from './programs/rabbitmq.js';

export const amqpWays = (setting: Setting): Way[] => [
  fromEnvironment('amqp', setting.environment),
  {
    source: 'path',
    async take() {
      const server = await rabbitmqServer();
      return server === undefined ? undefined : startRabbitmq(server, 'path', setting);
    },
  },
  fromDocker(
    {
      name: 'amqp',
      image: 'rabbitmq:4-management',
      port: 5_672,
      data: '/var/lib/rabbitmq',
      readyLine: /Server startup complete/,
      env: (address) => ({ AMQP_URL: `amqp://guest:guest@${address}` }),
    },
    setting,
  ),
  {
    source: 'prepared',
    async take(step) {
      step.doing('installing rabbitmq-server from Debian');
      await setting.debian.install(['rabbitmq-server']);
      const server = await rabbitmqServer();
      if (server === undefined) throw new SetupError('Debian installed a rabbitmq-server that is not on PATH.');
      step.doing('starting RabbitMQ');
      return startRabbitmq(server, 'prepared', setting);
    },
  },
];
