import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Unavailable } from '../bootstrap/environment.js';
import { onPath, succeeds } from '../bootstrap/processes.js';
import { fromDocker } from './docker.js';
import { fromEnvironment } from './from-environment.js';
import type { ProvidedPart, ProviderContext, Provider } from './part.js';
import { compileGoProgram, FERRETDB, isCompiled } from '../bootstrap/go-programs.js';
import { cachedMongod, downloadMongod } from './prepare/mongod.js';
import { isPostgresPrepared, preparePostgres } from './prepare/postgres.js';
import { POSTGRES_DATA, startFerretDb } from './programs/ferretdb.js';
import { MONGOD_DATA, startMongod } from './programs/mongod.js';
import type { Step } from '../reporter.js';

async function prepareFerretDb(context: ProviderContext, step: Step): Promise<ProvidedPart> {
  const [programs, executable] = await Promise.all([
    preparePostgres(context, step),
    compileGoProgram(FERRETDB, { ...context, log: await context.supervisor.logFile('prepare-ferretdb') }, step),
  ]);
  step.doing('starting FerretDB over PostgreSQL');
  return startFerretDb(executable, programs, context);
}

/**
 * mongod if its download is reachable, else FerretDB. Existing data and the cache win: neither reads the other's data.
 */
async function prepare(context: ProviderContext, step: Step): Promise<ProvidedPart> {
  const has = (folder: string): Promise<boolean> => succeeds(stat(path.join(context.supervisor.folder, folder)));
  const cached = await cachedMongod(context);
  if (cached && !(await has(POSTGRES_DATA))) return startMongod(cached, 'prepared', context);

  const isFerretDbPrepared = (await isPostgresPrepared(context)) && (await isCompiled(FERRETDB, context.cache));
  if ((isFerretDbPrepared && !(await has(MONGOD_DATA))) || (await has(POSTGRES_DATA)))
    return prepareFerretDb(context, step);

  step.doing("asking for MongoDB's download");
  const downloaded = await downloadMongod(context, step).catch((error: unknown) => {
    if (error instanceof Unavailable) return undefined;
    throw error;
  });
  return downloaded ? startMongod(downloaded, 'prepared', context) : prepareFerretDb(context, step);
}

export const mongoProviders = (context: ProviderContext): Provider[] => [
  fromEnvironment('mongo', context.environment),
  {
    source: 'path',
    async take() {
      const mongod = await onPath('mongod');
      return mongod === undefined ? undefined : startMongod(mongod, 'path', context);
    },
  },
  fromDocker(
    {
      name: 'mongo',
      service: 'mongo',
      port: 27_017,
      data: '/data/db',
      readyLine: /Waiting for connections/,
      env: (address) => ({ MONGO_URL: `mongodb://${address}` }),
    },
    context,
  ),
  { source: 'prepared', take: (step) => prepare(context, step) },
];
