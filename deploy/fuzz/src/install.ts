import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createCache } from '@najwa/dev/bootstrap/cache';
import { SetupError } from '@najwa/dev/bootstrap/environment';
import { onPath, run } from '@najwa/dev/bootstrap/processes';
import type { Reporter } from '@najwa/dev/reporter';

const SCHEMATHESIS = 'schemathesis==4.32.5';
const KEY = SCHEMATHESIS.replace('==', '-');

const pythonIn = (folder: string): string => path.join(folder, 'bin/python');

/** Python with Schemathesis. Undefined if it was never installed here. */
export async function installedSchemathesis(): Promise<string | undefined> {
  const cache = createCache(process.env);
  return (await cache.has(KEY)) ? pythonIn(path.join(cache.folder, KEY)) : undefined;
}

/**
 * Installs Schemathesis once, into a virtual environment.
 * @returns the Python that has it
 * @throws {SetupError} saying what is missing
 */
export async function provideSchemathesis(reporter: Reporter, signal: AbortSignal): Promise<string> {
  const python = await onPath('python3');
  if (python === undefined)
    throw new SetupError('Schemathesis needs Python 3.10 or newer with venv: put python3 on PATH.');
  const cache = createCache(process.env);
  await mkdir(cache.folder, { recursive: true });
  const step = reporter.step('Schemathesis');
  step.doing('pip install');
  try {
    const folder = await cache.once(
      KEY,
      async (fresh) => {
        const options = { what: 'Installing Schemathesis', log: path.join(cache.folder, 'schemathesis.log'), signal };
        await run(python, ['-m', 'venv', fresh], options);
        const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', SCHEMATHESIS];
        await run(pythonIn(fresh), install, options);
      },
      signal,
    );
    step.done(SCHEMATHESIS);
    return pythonIn(folder);
  } catch (error) {
    signal.throwIfAborted();
    step.fail();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetupError(`Schemathesis cannot be installed: it needs Python 3.10 with venv, and PyPI. ${reason}`);
  }
}
