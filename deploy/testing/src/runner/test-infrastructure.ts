import { rm } from 'node:fs/promises';
import { provideInfrastructure, type Source } from '@najwa/dev/infrastructure';
import { Debian } from '@najwa/dev/infrastructure/prepare/debian';
import { openSupervisor } from '@najwa/dev/processes/supervisor';
import type { Reporter } from '@najwa/dev/reporter';
import { makeTestFolder } from '../test-bed/test-folder.js';
import { BROWSERS, provideTestPrograms } from './test-programs.js';

export interface TestInfrastructure {
  /** Temporary. */
  folder: string;
  /** Addresses of servers, and programs. */
  env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface TestInfrastructureOptions {
  reporter: Reporter;
  signal?: AbortSignal;
  needsBrowsers: boolean;
  only?: Source;
}

/** Cleaned up even if this process is killed. */
export async function provideTestInfrastructure({
  reporter,
  signal = new AbortController().signal,
  needsBrowsers,
  only,
}: TestInfrastructureOptions): Promise<TestInfrastructure> {
  const folder = await makeTestFolder('najwa-test-');
  const supervisor = await openSupervisor(folder, { temporary: true });
  const removeAll = async (): Promise<void> => {
    await supervisor.release();
    await rm(folder, { recursive: true, force: true });
  };
  const debian = new Debian(supervisor, signal);
  const providing = provideInfrastructure({
    dataDir: folder,
    reporter,
    supervisor,
    debian,
    signal,
    persistent: false,
    syncsToDisk: false,
    ...(only && { only }),
  });
  try {
    const [infrastructure, programs] = await Promise.all([
      providing,
      provideTestPrograms(['NGINX_BIN', ...(needsBrowsers ? BROWSERS : [])], debian, reporter),
    ]);
    return {
      folder,
      env: { ...infrastructure.env, ...programs },
      async stop() {
        await infrastructure.stop();
        await removeAll();
      },
    };
  } catch (error) {
    await providing.then((infrastructure) => infrastructure.stop()).catch(() => undefined);
    await removeAll();
    throw error;
  }
}
