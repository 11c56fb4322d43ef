import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const SCRIPT = `import { sizes } from ${JSON.stringify(new URL('smoke.js', import.meta.url).href)};
console.log(sizes({ full: 'full', smoke: 'smoke' }));`;

/** The choice of a command with these arguments. */
const picked = (...args: string[]): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', SCRIPT, '--', ...args], { encoding: 'utf8' }).trim();

test('sizes are those of a smoke only when it was asked for', () => {
  expect(picked('visit')).toBe('full');
  expect(picked('visit', '--smoke')).toBe('smoke');
});
