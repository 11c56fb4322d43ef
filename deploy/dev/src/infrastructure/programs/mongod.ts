import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { accepts, freePort } from '../../processes/ports.js';
import { Program } from '../../processes/program.js';
import { partOfProgram, programEnvironment, type ProvidedPart, type ProviderContext, type Source } from '../part.js';

export const MONGOD_DATA = 'mongod';

export async function startMongod(
  executable: string,
  source: Source,
  { supervisor, environment, signal }: ProviderContext,
): Promise<ProvidedPart> {
  const data = path.join(supervisor.folder, MONGOD_DATA);
  await mkdir(data, { recursive: true });
  const port = await freePort();
  const program = new Program('MongoDB', async function* (signal) {
    yield await supervisor.start(
      {
        name: 'mongod',
        command: executable,
        args: [
          '--dbpath',
          data,
          '--port',
          String(port),
          '--bind_ip',
          '127.0.0.1',
          '--nounixsocket',
          '--wiredTigerCacheSizeGB',
          '0.5',
          '--quiet',
        ],
        env: programEnvironment(environment),
        ready: () => accepts(port),
      },
      signal,
    );
  });
  return partOfProgram(
    program,
    { name: 'mongo', source, description: 'mongod', env: { MONGO_URL: `mongodb://127.0.0.1:${port}` } },
    signal,
  );
}
