import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inCheckout } from '../../checkout.js';
import { Unavailable } from '../../errors.js';
import { onPath, run } from '../../processes/run.js';
import type { Step } from '../../reporter.js';
import type { Setting } from '../part.js';

export interface GoProgram {
  /** The folder of deploy/local whose go.mod pins it. */
  name: 'minio' | 'ferretdb';
  /** The package to compile. */
  package: string;
}

async function keyOf({ name }: GoProgram): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(inCheckout('deploy/local', name, file)));
  return `${name}-${hash.digest('hex').slice(0, 12)}`;
}

export const isCompiled = async (program: GoProgram, { cache }: Setting): Promise<boolean> =>
  cache.has(await keyOf(program));

/**
 * Compiles a pinned Go program, once.
 * @returns the executable
 * @throws {Unavailable} when there is nothing to compile it with
 */
export async function goProgram(
  program: GoProgram,
  { cache, supervisor, signal }: Setting,
  step: Step,
): Promise<string> {
  const key = await keyOf(program);
  const { name } = program;
  if (!(await cache.has(key))) {
    if (!(await onPath('go'))) throw new Unavailable(`there is no Go to compile ${name} with`);
    step.doing(`compiling ${name}`);
  }
  const log = await supervisor.logFile(`prepare-${name}`);
  const folder = await cache.once(
    key,
    (fresh) =>
      run(
        'go',
        [
          'build',
          '-mod=readonly',
          '-trimpath',
          '-buildvcs=false',
          '-ldflags',
          '-s -w',
          '-o',
          path.join(fresh, name),
          program.package,
        ],
        {
          what: `Compiling ${name}`,
          log,
          cwd: inCheckout('deploy/local', name),
          env: { CGO_ENABLED: '0' },
          signal,
        },
      ),
    signal,
  );
  return path.join(folder, name);
}
