import { chmod, cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SetupError, Unavailable } from '../../bootstrap/environment.js';
import { outputOf, run } from '../../bootstrap/processes.js';
import type { Step } from '../../reporter.js';
import type { ProviderContext } from '../part.js';

const RELEASE = 'forky';
const PACKAGE = 'postgresql-18-documentdb';
/** Change it with the set of kept files. */
const KEY = 'postgres-18-documentdb-1';

const SERVER = 'usr/lib/postgresql/18';
const SHARE = 'usr/share/postgresql/18';
const PROGRAMS = ['postgres', 'initdb', 'pg_isready'];
const MODULES = ['plpgsql', 'dict_snowball', 'pg_cron', 'vector', 'rum', 'tsm_system_rows', 'postgis-3'];
/** Unused parts of PostGIS. */
const UNUSED = /^(postgis_(raster|topology|sfcgal|tiger_geocoder)|address_standardizer)|^postgis--.*--.*\.sql$/;

const PLATFORMS: Readonly<Record<string, { loader: string; libraries: string }>> = {
  x64: { loader: 'usr/lib64/ld-linux-x86-64.so.2', libraries: 'usr/lib/x86_64-linux-gnu' },
  arm64: { loader: 'usr/lib/ld-linux-aarch64.so.1', libraries: 'usr/lib/aarch64-linux-gnu' },
};

/** Unpacked, with DocumentDB. */
export interface PostgresPrograms {
  program(name: 'postgres' | 'initdb' | 'pg_isready'): string;
  /** Lead to its own data. */
  env: Record<string, string>;
}

/**
 * Starts a program with the C library of its release, newer than the machine's. initdb expects postgres in its own
 * folder, so each program is replaced by such a script.
 */
const starter = ({ loader, libraries }: { loader: string; libraries: string }): string => `#!/bin/sh
root=\${0%/${SERVER}/bin/*}
exec "$root/${loader}" --argv0 "$0" --library-path "$root/${libraries}:$root/${SERVER}/lib" "$root/${SERVER}/bin/\${0##*/}.program" "$@"
`;

/** Programs, extensions and the libraries that they load. PostGIS depends on far more. */
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
  // Usually made by the package's installation script.
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

/** @throws {Unavailable} without Debian */
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
