import { onPath } from '../bootstrap/processes.js';
import { fromDocker } from './docker.js';
import { fromEnvironment } from './from-environment.js';
import type { ProviderContext, Provider } from './part.js';
import { compileGoProgram, MINIO } from '../bootstrap/go-programs.js';
import { startMinio } from './programs/minio.js';

export const s3Providers = (context: ProviderContext): Provider[] => [
  fromEnvironment('s3', context.environment),
  {
    source: 'path',
    async take() {
      const minio = await onPath('minio', context.environment['PATH']);
      return minio === undefined ? undefined : startMinio(minio, 'path', context);
    },
  },
  fromDocker(
    {
      name: 's3',
      service: 'minio',
      port: 9_000,
      data: '/data',
      command: ['server', '/data'],
      environment: ({ user, password }) => ({ MINIO_ROOT_USER: user, MINIO_ROOT_PASSWORD: password }),
      readyLine: /API:/,
      env: (address, { user, password }) => ({
        S3_ENDPOINT: `http://${address}`,
        S3_ACCESS_KEY: user,
        S3_SECRET_KEY: password,
      }),
    },
    context,
  ),
  {
    source: 'prepared',
    async take(step) {
      const log = await context.supervisor.logFile('prepare-minio');
      const executable = await compileGoProgram(MINIO, { ...context, log }, step);
      step.doing('starting MinIO');
      return startMinio(executable, 'prepared', context);
    },
  },
];
