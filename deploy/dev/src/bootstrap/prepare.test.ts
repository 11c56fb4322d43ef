import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { inCheckout } from './environment.js';

const run = async (script: string): Promise<{ status: unknown; errors: string }> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: inCheckout('deploy/dev/src/bootstrap'),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const errors = await text(child.stderr);
  return { status: await closed, errors };
};

const commandThatThrows = (error: string): string => `
  import { runCommand } from './prepare.js';
  import { SetupError } from './environment.js?compiled';
  await runCommand(() => Promise.reject(${error}), { statusWhenStopped: 130, needsInfrastructure: false });`;

test('a command says in one sentence that a part is missing, also where the compiled copy misses it', async () => {
  const { status, errors } = await run(commandThatThrows(`new SetupError('There is no kubectl.')`));
  expect(errors).toBe('There is no kubectl.\n');
  expect(status).toBe(1);
});

test('a command shows where an unexpected error comes from', async () => {
  const { status, errors } = await run(commandThatThrows(`new TypeError('nothing to read')`));
  expect(errors).toMatch(/TypeError: nothing to read\n\s+at /);
  expect(status).toBe(1);
});
