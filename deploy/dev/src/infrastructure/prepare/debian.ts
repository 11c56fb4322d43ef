import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SetupError, Unavailable } from '../../bootstrap/environment.js';
import { onPath, outputOf, run } from '../../bootstrap/processes.js';
import type { Supervisor } from '../../processes/supervisor.js';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const LOCK_TIMEOUT = 'DPkg::Lock::Timeout=300';

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

const ENV = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };

export class Debian {
  #lastTurn: Promise<unknown> = Promise.resolve();
  #areListsRead = false;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly signal: AbortSignal,
  ) {}

  /** Of the machine's release, without starting services. @throws {Unavailable} */
  install(packages: readonly string[]): Promise<void> {
    // apt runs once at a time.
    const turn = this.#lastTurn.then(() => this.#installNow(packages));
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async #installNow(packages: readonly string[]): Promise<void> {
    const { signal } = this;
    const names = packages.join(' and ');
    if (!(await onPath('apt-get'))) throw new Unavailable(`there is no apt-get to install ${names} with`);
    if (process.geteuid?.() !== 0) throw new Unavailable(`only root could install ${names}`);
    const log = await this.supervisor.logFile('prepare-debian');
    // Separate: another apt may empty the machine's own.
    const archives = await mkdtemp(path.join(tmpdir(), 'najwa-apt-'));
    await mkdir(path.join(archives, 'partial'));
    const settings = ['-o', LOCK_TIMEOUT, '-o', `Dir::Cache::archives=${archives}`, '-o', 'APT::Sandbox::User='];
    const aptGet = (what: string, args: readonly string[], stop?: AbortSignal) =>
      run('apt-get', ['-q', ...settings, ...args], { what, log, env: ENV, ...(stop && { signal: stop }) });
    const install = ['install', '-y', '--no-install-recommends'];
    try {
      if (!this.#areListsRead) await aptGet('Reading the package lists', ['update'], signal);
      this.#areListsRead = true;
      await aptGet(`Downloading ${names}`, [...install, '--download-only', ...packages], signal);
      // No signal: interruption would leave packages half configured.
      await aptGet(`Installing ${names}`, [...install, ...packages]);
    } finally {
      await rm(archives, { recursive: true, force: true });
    }
    signal.throwIfAborted();
  }

  /**
   * Of another release, with all dependencies, without changing the machine.
   * @returns the files
   * @throws {Unavailable}
   */
  async download({
    release,
    packages,
    folder,
  }: {
    release: string;
    packages: readonly string[];
    folder: string;
  }): Promise<string[]> {
    const { signal } = this;
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
    const log = await this.supervisor.logFile('prepare-debian');
    await run('apt-get', ['-q', ...options, 'update'], {
      what: `Reading the package lists of Debian ${release}`,
      log,
      env: ENV,
      signal,
    });
    await run(
      'apt-get',
      ['-q', ...options, 'install', '-y', '--no-install-recommends', '--download-only', ...packages],
      { what: `Downloading ${names}`, log, env: ENV, signal },
    );
    const files = (await readdir(path.join(folder, 'archives'))).filter((name) => name.endsWith('.deb'));
    if (files.length === 0) throw new SetupError(`Debian ${release} has no ${names}.`);
    return files.map((name) => path.join(folder, 'archives', name));
  }
}
