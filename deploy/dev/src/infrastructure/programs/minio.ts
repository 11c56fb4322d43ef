import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../processes/ports.js';
import { Program } from '../../processes/program.js';
import {
  loadCredentials,
  partOfProgram,
  programEnvironment,
  type ProvidedPart,
  type ProviderContext,
  type Source,
} from '../part.js';

export async function startMinio(
  executable: string,
  source: Source,
  { supervisor, environment, signal }: ProviderContext,
): Promise<ProvidedPart> {
  const data = path.join(supervisor.folder, 'minio');
  await mkdir(data, { recursive: true });
  const { user, password } = await loadCredentials(supervisor, 'minio');
  const port = await freePort();
  const program = new Program('MinIO', async function* (signal) {
    yield await supervisor.start(
      {
        name: 'minio',
        command: executable,
        args: ['server', '--quiet', '--address', `127.0.0.1:${port}`, data],
        env: {
          ...programEnvironment(environment),
          MINIO_ROOT_USER: user,
          MINIO_ROOT_PASSWORD: password,
          MINIO_BROWSER: 'off',
          MINIO_UPDATE: 'off',
        },
        ready: async () => {
          const response = await fetch(`http://127.0.0.1:${port}/minio/health/ready`, {
            signal: AbortSignal.timeout(1_000),
          }).catch(() => undefined);
          return response?.ok ?? false;
        },
      },
      signal,
    );
  });
  const env = { S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_ACCESS_KEY: user, S3_SECRET_KEY: password };
  return partOfProgram(program, { name: 's3', source, description: 'minio', env }, signal);
}
