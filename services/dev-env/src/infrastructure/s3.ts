import { onPath } from '../processes/run.js';
import { fromDocker } from './docker.js';
import { fromEnvironment } from './from-environment.js';
import type { Setting, Way } from './part.js';
import { goProgram } from './prepare/go-program.js';
import { startMinio } from './programs/minio.js';

export const s3Ways = (setting: Setting): Way[] => [
  fromEnvironment('s3', setting.environment),
  {
    source: 'path',
    async take() {
      const minio = await onPath('minio');
      return minio === undefined ? undefined : startMinio(minio, 'path', setting);
    },
  },
  fromDocker(
    {
      name: 's3',
      image: 'minio/minio:latest',
      port: 9_000,
      data: '/data',
      command: ['server', '/data'],
      environment: { MINIO_ROOT_USER: 'minioadmin', MINIO_ROOT_PASSWORD: 'minioadmin' },
      readyLine: /API:/,
      env: (address) => ({
        S3_ENDPOINT: `http://${address}`,
        S3_ACCESS_KEY: 'minioadmin',
        S3_SECRET_KEY: 'minioadmin',
      }),
    },
    setting,
  ),
  {
    source: 'prepared',
    async take(step) {
      const executable = await goProgram({ name: 'minio', package: 'github.com/minio/minio' }, setting, step);
      step.doing('starting MinIO');
      return startMinio(executable, 'prepared', setting);
    },
  },
];
