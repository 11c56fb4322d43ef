import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Unavailable } from '../bootstrap/environment.js';
import { onPath } from '../bootstrap/processes.js';
import { fromDocker } from './docker.js';
import { fromEnvironment } from './from-environment.js';
import type { ProvidedPart, Setting, Way } from './part.js';
import { compileGoProgram, FERRETDB, isCompiled } from '../bootstrap/go-programs.js';
import { cachedMongod, downloadMongod } from './prepare/mongod.js';
import { isPostgresPrepared, preparePostgres } from './prepare/postgres.js';
import { POSTGRES_DATA, startFerretDb } from './programs/ferretdb.js';
import { MONGOD_DATA, startMongod } from './programs/mongod.js';
import type { Step } from '../reporter.js';

async function prepareFerretDb(setting: Setting, step: Step): Promise<ProvidedPart> {
  const [programs, executable] = await Promise.all([
    preparePostgres(setting, step),
    compileGoProgram(FERRETDB, { ...setting, log: await setting.supervisor.logFile('prepare-ferretdb') }, step),
  ]);
  step.doing('starting FerretDB over PostgreSQL');
  return startFerretDb(executable, programs, setting);
}

/** MongoDB's own server where its download can be reached, else FerretDB. What there is already, in data or in the cache, comes first. */
async function prepare(setting: Setting, step: Step): Promise<ProvidedPart> {
  const has = (folder: string): Promise<boolean> =>
    stat(path.join(setting.supervisor.folder, folder)).then(
      () => true,
      () => false,
    );
  const cached = await cachedMongod(setting);
  if (cached && !(await has(POSTGRES_DATA))) return startMongod(cached, 'prepared', setting);

  const isFerretDbPrepared = (await isPostgresPrepared(setting)) && (await isCompiled(FERRETDB, setting.cache));
  if ((isFerretDbPrepared && !(await has(MONGOD_DATA))) || (await has(POSTGRES_DATA)))
    return prepareFerretDb(setting, step);

  step.doing("asking for MongoDB's download");
  const downloaded = await downloadMongod(setting, step).catch((error: unknown) => {
    if (error instanceof Unavailable) return undefined;
    throw error;
  });
  return downloaded ? startMongod(downloaded, 'prepared', setting) : prepareFerretDb(setting, step);
}

export const mongoWays = (setting: Setting): Way[] => [
  fromEnvironment('mongo', setting.environment),
  {
    source: 'path',
    async take() {
      const mongod = await onPath('mongod');
      return mongod === undefined ? undefined : startMongod(mongod, 'path', setting);
    },
  },
  fromDocker(
    {
      name: 'mongo',
      image: 'mongo:8',
      port: 27_017,
      data: '/data/db',
      readyLine: /Waiting for connections/,
      env: (address) => ({ MONGO_URL: `mongodb://${address}` }),
    },
    setting,
  ),
  { source: 'prepared', take: (step) => prepare(setting, step) },
];
