import { chmod, cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SetupError, Unavailable } from '../../bootstrap/environment.js';
import { outputOf, run } from '../../bootstrap/processes.js';
import type { Step } from '../../reporter.js';
import type { ProviderContext } from '../part.js';

const RELEASE = 'forky';
const PACKAGE = 'postgresql-18-documentdb';
/** Change it whenever the set of kept files changes. */
const KEY = 'postgres-18-documentdb-1';

const SERVER = 'usr/lib/postgresql/18';
const SHARE = 'usr/share/postgresql/18';
const PROGRAMS = ['postgres', 'initdb', 'pg_isready'];
const MODULES = ['plpgsql', 'dict_snowball', 'pg_cron', 'vector', 'rum', 'tsm_system_rows', 'postgis-3'];
/** Parts of PostGIS that nothing here uses. */
const UNUSED = /^(postgis_(raster|topology|sfcgal|tiger_geocoder)|address_standardizer)|^postgis--.*--.*\.sql$/;

const PLATFORMS: Readonly<Record<string, { loader: string; libraries: string }>> = {
  x64: { loader: 'usr/lib64/ld-linux-x86-64.so.2', libraries: 'usr/lib/x86_64-linux-gnu' },
  arm64: { loader: 'usr/lib/ld-linux-aarch64.so.1', libraries: 'usr/lib/aarch64-linux-gnu' },
};

/** PostgreSQL with DocumentDB, unpacked. */
export interface PostgresPrograms {
  program(name: 'postgres' | 'initdb' | 'pg_isready'): string;
  /** Variables that make them find their own data instead of the machine's. */
  env: Record<string, string>;
}

/**
 * A script that starts a program with the C library of its own release, which is newer than the machine's. initdb looks for postgres
 * beside itself, so each program needs such a script in its place.
 */
const starter = ({ loader, libraries }: { loader: string; libraries: string }): string => `#!/bin/sh
root=\${0%/${SERVER}/bin/*}
exec "$root/${loader}" --argv0 "$0" --library-path "$root/${libraries}:$root/${SERVER}/lib" "$root/${SERVER}/bin/\${0##*/}.program" "$@"
`;

/** Keeps the programs, the extensions and the libraries that they load. PostGIS depends on far more. */
async function keepWhatIsUsed(
  unpacked: string,
  target: string,
  platform: { loader: string; libraries: string },
): Promise<void> {
  const modules = (await readdir(path.join(unpacked, SERVER, 'lib'))).filter(
    (name) => name.endsWith('.so') && (MODULES.includes(name.slice(0, -'.so'.length)) || name.includes('documentdb')),
  );
  const files = [...PROGRAMS.map((name) => `${SERVER}/bin/${name}`), ...modules.map((name) => `${SERVER}/lib/${name}`)];
  const kept = new Set([...files, platform.loader]);
  const searched = [platform.libraries, `${SERVER}/lib`].map((folder) => path.join(unpacked, folder)).join(':');
  for (const file of files) {
    const listed = await outputOf(path.join(unpacked, platform.loader), [
      '--library-path',
      searched,
      '--list',
      path.join(unpacked, file),
    ]);
    if (listed === undefined) throw new SetupError('A library of PostgreSQL is not among its packages.');
    for (const [, library] of listed.matchAll(/=> (\S+) \(0x/g)) {
      const inside = path.relative(unpacked, library ?? '');
      if (!inside.startsWith('..')) kept.add(inside);
    }
  }
  for (const file of kept) await cp(path.join(unpacked, file), path.join(target, file), { dereference: true });

  await cp(path.join(unpacked, SHARE), path.join(target, SHARE), {
    recursive: true,
    filter: (source) => !UNUSED.test(path.basename(source)) && path.basename(source) !== 'man',
  });
  // The package's installation script creates this link.
  await symlink('postgis-3.control', path.join(target, SHARE, 'extension/postgis.control'));
  await cp(path.join(unpacked, 'usr/share/proj/proj.db'), path.join(target, 'usr/share/proj/proj.db'));
  await cp(path.join(unpacked, 'usr/lib/locale/C.utf8'), path.join(target, 'usr/lib/locale/C.utf8'), {
    recursive: true,
  });

  for (const name of PROGRAMS) {
    const file = path.join(target, SERVER, 'bin', name);
    await rename(file, `${file}.program`);
    await writeFile(file, starter(platform));
    await chmod(file, 0o755);
  }
}

export const isPostgresPrepared = ({ cache }: ProviderContext): Promise<boolean> => cache.has(KEY);

/**
 * Fetches PostgreSQL with the DocumentDB extension from Debian, once.
 * @throws {Unavailable} where there is no Debian to fetch it from
 */
export async function preparePostgres(
  { cache, debian, supervisor, signal }: ProviderContext,
  step: Step,
): Promise<PostgresPrograms> {
  const platform = process.platform === 'linux' ? PLATFORMS[process.arch] : undefined;
  if (!platform)
    throw new Unavailable(`DocumentDB is prepared on Linux only, and not on ${process.platform} ${process.arch}`);
  if (!(await cache.has(KEY))) step.doing('fetching PostgreSQL with DocumentDB from Debian');
  const folder = await cache.once(
    KEY,
    async (fresh) => {
      const work = path.join(fresh, 'work');
      const unpacked = path.join(work, 'unpacked');
      await mkdir(unpacked, { recursive: true });
      const packages = await debian.download({ release: RELEASE, packages: [PACKAGE], folder: path.join(work, 'apt') });
      step.doing('unpacking PostgreSQL with DocumentDB');
      const log = await supervisor.logFile('prepare-debian');
      for (const file of packages)
        await run('dpkg-deb', ['--extract', file, unpacked], { what: `Unpacking ${path.basename(file)}`, log, signal });
      await keepWhatIsUsed(unpacked, fresh, platform);
      await rm(work, { recursive: true });
    },
    signal,
  );
  return {
    program: (name) => path.join(folder, SERVER, 'bin', name),
    env: { LOCPATH: path.join(folder, 'usr/lib/locale'), PROJ_DATA: path.join(folder, 'usr/share/proj') },
  };
}
