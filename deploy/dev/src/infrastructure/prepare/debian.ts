import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SetupError, Unavailable } from '../../bootstrap/environment.js';
import { onPath, outputOf, run } from '../../bootstrap/processes.js';
import type { Supervisor } from '../../processes/supervisor.js';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const LOCK_TIMEOUT = 'DPkg::Lock::Timeout=300';

export interface Debian {
  /** Of the machine's release, without starting services. @throws {Unavailable} */
  install(packages: readonly string[]): Promise<void>;
  /**
   * Of another release, with all dependencies, without changing the machine.
   * @returns the files
   * @throws {Unavailable}
   */
  download(options: { release: string; packages: readonly string[]; folder: string }): Promise<string[]>;
}

/**
 * Debian's mirror, in lines of `apt-get indextargets`.
 * @param osRelease text of /etc/os-release
 */
export function mirrorIn(targets: string, osRelease: string): string | undefined {
  if (!/^ID="?debian"?$/m.test(osRelease)) return undefined;
  const codename = /^VERSION_CODENAME="?([a-z]+)"?$/m.exec(osRelease)?.[1];
  for (const line of targets.split('\n')) {
    const [uri, release, component] = line.trim().split(/\s+/);
    if (uri && release && component === 'main' && [codename, 'stable', 'oldstable', 'testing'].includes(release))
      return uri;
  }
  return undefined;
}

/** @param user effective user id */
export function createDebian({
  supervisor,
  signal,
  user = process.geteuid?.(),
}: {
  supervisor: Supervisor;
  signal: AbortSignal;
  user?: number | undefined;
}): Debian {
  let queue: Promise<unknown> = Promise.resolve();
  let areListsRead = false;

  // apt runs once at a time.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  };
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };

  return {
    install: (packages) =>
      inTurn(async () => {
        const names = packages.join(' and ');
        if (!(await onPath('apt-get'))) throw new Unavailable(`there is no apt-get to install ${names} with`);
        if (user !== 0) throw new Unavailable(`only root could install ${names}`);
        const log = await supervisor.logFile('prepare-debian');
        // Separate: another apt may empty the machine's own.
        const archives = await mkdtemp(path.join(tmpdir(), 'najwa-apt-'));
        await mkdir(path.join(archives, 'partial'));
        const options = [
          '-q',
          '-o',
          LOCK_TIMEOUT,
          '-o',
          `Dir::Cache::archives=${archives}`,
          '-o',
          'APT::Sandbox::User=',
        ];
        const install = ['install', '-y', '--no-install-recommends'];
        try {
          if (!areListsRead)
            await run('apt-get', [...options, 'update'], { what: 'Reading the package lists', log, env, signal });
          areListsRead = true;
          await run('apt-get', [...options, ...install, '--download-only', ...packages], {
            what: `Downloading ${names}`,
            log,
            env,
            signal,
          });
          // No signal: interruption would leave packages half configured.
          await run('apt-get', [...options, ...install, ...packages], { what: `Installing ${names}`, log, env });
        } finally {
          await rm(archives, { recursive: true, force: true });
        }
        signal.throwIfAborted();
      }),

    async download({ release, packages, folder }) {
      const names = packages.join(' and ');
      if (!(await onPath('apt-get')) || !(await onPath('dpkg-deb')))
        throw new Unavailable(`there is no apt-get to fetch ${names} with`);
      const targets = await outputOf('apt-get', [
        'indextargets',
        '--no-release-info',
        '--format',
        '$(REPO_URI) $(RELEASE) $(COMPONENT)',
        'Created-By: Packages',
      ]);
      const mirror = mirrorIn(targets ?? '', await readFile('/etc/os-release', 'utf8').catch(() => ''));
      if (mirror === undefined) throw new Unavailable('apt knows no mirror of Debian');

      const [sources, status] = [path.join(folder, 'sources.list'), path.join(folder, 'status')];
      await mkdir(path.join(folder, 'lists/partial'), { recursive: true });
      await mkdir(path.join(folder, 'archives/partial'), { recursive: true });
      await writeFile(sources, `deb [signed-by=${KEYRING}] ${mirror} ${release} main\n`);
      // An empty status makes apt download every dependency, down to the C library.
      await writeFile(status, '');
      const settings = {
        'Dir::Etc::sourcelist': sources,
        'Dir::Etc::sourceparts': '/dev/null',
        'Dir::State': folder,
        'Dir::State::lists': path.join(folder, 'lists'),
        'Dir::State::status': status,
        'Dir::Cache': folder,
        'Acquire::Languages': 'none',
        'Acquire::Check-Valid-Until': 'false',
        'APT::Sandbox::User': '',
      };
      const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
      const log = await supervisor.logFile('prepare-debian');
      await run('apt-get', ['-q', ...options, 'update'], {
        what: `Reading the package lists of Debian ${release}`,
        log,
        env,
        signal,
      });
      await run(
        'apt-get',
        ['-q', ...options, 'install', '-y', '--no-install-recommends', '--download-only', ...packages],
        { what: `Downloading ${names}`, log, env, signal },
      );
      const files = (await readdir(path.join(folder, 'archives'))).filter((name) => name.endsWith('.deb'));
      if (files.length === 0) throw new SetupError(`Debian ${release} has no ${names}.`);
      return files.map((name) => path.join(folder, 'archives', name));
    },
  };
}
