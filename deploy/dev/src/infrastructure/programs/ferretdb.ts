import { mkdir, mkdtemp, open, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accepts, freePort } from '../../processes/ports.js';
import { Program } from '../../processes/program.js';
import { outputOf, run } from '../../bootstrap/processes.js';
import { partOfProgram, programEnvironment, type ProvidedPart, type ProviderContext } from '../part.js';
import type { PostgresPrograms } from '../prepare/postgres.js';
import { createUnprivileged, type Unprivileged } from './unprivileged.js';

export const POSTGRES_DATA = 'postgres';

/** Socket paths have at most 107 bytes; PostgreSQL appends about twenty. */
const MAX_SOCKET_FOLDER_BYTES = 80;

const settings = (sockets: string, syncsToDisk: boolean): Record<string, string> => ({
  ...(!syncsToDisk && { fsync: 'off', full_page_writes: 'off' }),
  listen_addresses: '',
  unix_socket_directories: sockets,
  max_connections: '200',
  max_worker_processes: '24',
  shared_buffers: '128MB',
  shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb',
  // DocumentDB expires documents in a pg_cron job. Background workers need no TCP listener.
  'cron.database_name': 'postgres',
  'cron.use_background_workers': 'on',
  'cron.log_run': 'off',
  'cron.log_statement': 'off',
  // DocumentDB connects to the server itself to build indexes.
  'documentdb.localhost_connection_string': `host=${sockets} user=postgres`,
  // Two writes of one unique key can deadlock. The default of a second is too slow.
  deadlock_timeout: '50ms',
  // Until a vacuum, an index keeps entries of earlier versions, which each outbox search reads. The default waits for a
  // fifth of the table to change, so the cost would grow with it.
  autovacuum_naptime: '5s',
  autovacuum_vacuum_threshold: '200',
  autovacuum_vacuum_scale_factor: '0.01',
  // The text of a failed statement contains values.
  log_min_error_statement: 'panic',
});

/** Appears at once, by a rename at the end. */
async function createCluster(
  data: string,
  programs: PostgresPrograms,
  unprivileged: Unprivileged,
  { supervisor, environment, syncsToDisk, signal }: ProviderContext,
): Promise<void> {
  const fresh = `${data}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  await unprivileged.own(fresh);
  const log = await supervisor.logFile('postgres');
  const env = { ...programEnvironment(environment), ...programs.env, TZ: 'GMT' };
  const initdb = unprivileged.command(programs.program('initdb'), [
    `--pgdata=${fresh}`,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  await run(initdb.command, initdb.args, { what: 'Creating a PostgreSQL cluster', log, env, cwd: '/', signal });
  const sql = path.join(fresh, 'documentdb.sql');
  await writeFile(sql, 'create extension documentdb cascade\n');
  const options = Object.entries(settings('', syncsToDisk)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const single = unprivileged.command(programs.program('postgres'), [
    '--single',
    '-D',
    fresh,
    ...options,
    '-c',
    'exit_on_error=on',
    'postgres',
  ]);
  const input = await open(sql);
  try {
    await run(single.command, single.args, {
      what: 'Creating the DocumentDB extension',
      log,
      env,
      cwd: '/',
      input: input.fd,
      signal,
    });
  } finally {
    await input.close();
  }
  await rm(sql);
  await rename(fresh, data);
}

/** Left by a killed server, if another program has its process id. PostgreSQL handles other cases. */
async function removeForeignLock(data: string): Promise<void> {
  const lock = path.join(data, 'postmaster.pid');
  const [pid] = (await readFile(lock, 'utf8').catch(() => '')).split('\n');
  if (!pid) return;
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => data);
  if (folder !== data) await rm(lock, { force: true });
}

/** Next to the data, or at a shorter path. Removes the folder of a killed start. */
async function socketFolder(data: string): Promise<string> {
  const sibling = `${data}-sockets`;
  if (Buffer.byteLength(sibling) < MAX_SOCKET_FOLDER_BYTES) return sibling;
  const note = `${data}.socket`;
  const previous = await readFile(note, 'utf8').catch(() => '');
  if (path.basename(previous).startsWith('najwa-')) await rm(previous, { recursive: true, force: true });
  const parent = Buffer.byteLength(tmpdir()) < MAX_SOCKET_FOLDER_BYTES ? tmpdir() : '/tmp';
  const folder = await mkdtemp(path.join(parent, 'najwa-'));
  await writeFile(note, folder);
  return folder;
}

/** Over PostgreSQL with DocumentDB. */
export async function startFerretDb(
  ferretdb: string,
  programs: PostgresPrograms,
  context: ProviderContext,
): Promise<ProvidedPart> {
  const { supervisor, environment, syncsToDisk, signal } = context;
  const data = path.join(supervisor.folder, POSTGRES_DATA);
  const state = path.join(supervisor.folder, 'ferretdb');
  await mkdir(state, { recursive: true });
  const unprivileged = createUnprivileged();
  if ((await readFile(path.join(data, 'PG_VERSION'), 'utf8').catch(() => '')) === '')
    await createCluster(data, programs, unprivileged, context);
  const sockets = await socketFolder(data);
  const options = Object.entries(settings(sockets, syncsToDisk)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const port = await freePort();
  const env = programEnvironment(environment);

  const program = new Program('MongoDB', async function* (signal) {
    await removeForeignLock(data);
    await mkdir(sockets, { recursive: true, mode: 0o700 });
    await unprivileged.own(sockets);
    yield await supervisor.start(
      {
        name: 'postgres',
        ...unprivileged.command(programs.program('postgres'), ['-D', data, ...options]),
        env: { ...env, ...programs.env, TZ: 'GMT' },
        cwd: '/',
        // pg_cron's launcher leaves the process group and outlives the server.
        ownFolder: data,
        ready: async () =>
          (await outputOf(
            programs.program('pg_isready'),
            ['--host', sockets, '--username', 'postgres'],
            programs.env,
          )) !== undefined,
        // Fast shutdown: closes connections and flushes.
        stopSignal: 'SIGINT',
      },
      signal,
    );
    yield await supervisor.start(
      {
        name: 'ferretdb',
        command: ferretdb,
        args: [
          `--postgresql-url=postgres://postgres@/postgres?host=${encodeURIComponent(sockets)}`,
          `--listen-addr=127.0.0.1:${port}`,
          '--debug-addr=',
          `--state-dir=${state}`,
          '--telemetry=disable',
          '--no-auth',
          '--log-level=ERROR',
        ],
        env: { ...env, DO_NOT_TRACK: '1' },
        ready: () => accepts(port),
      },
      signal,
    );
  });
  const part = await partOfProgram(
    program,
    {
      name: 'mongo',
      source: 'prepared',
      description: 'FerretDB over PostgreSQL with DocumentDB',
      env: { MONGO_URL: `mongodb://127.0.0.1:${port}` },
    },
    signal,
  ).catch(async (error: unknown) => {
    await rm(sockets, { recursive: true, force: true });
    throw error;
  });
  return {
    ...part,
    stop: async () => {
      await part.stop();
      await rm(sockets, { recursive: true, force: true });
    },
  };
}
