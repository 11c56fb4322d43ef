import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { inCheckout } from '@najwa/dev/bootstrap/environment';

/** Each Arabic page, with the English ones that have its commands. */
const PAGES = {
  'docs/ar/operations.md': ['docs/operations.md', 'README.md', 'deploy/release/install.en.md'],
  'deploy/release/install.ar.md': ['deploy/release/install.en.md'],
};

const read = (file: string): Promise<string> => readFile(inCheckout(file), 'utf8');
const commandsIn = (text: string): string[] =>
  Array.from(text.matchAll(/^```sh\n([^]*?)^```/gm), ([, block = '']) => block.split('\n'))
    .flat()
    .filter(Boolean);

test.each(Object.entries(PAGES))('%s has commands of the English pages only', async (page, others) => {
  const english = (await Promise.all(others.map(read))).join('\n');
  const commands = commandsIn(await read(page));
  expect(commands.length).toBeGreaterThan(3);
  expect(commands.filter((command) => !english.includes(command))).toEqual([]);
});

test('the Arabic handbook fits, and leads only to what is there', async () => {
  const text = await read('docs/ar/operations.md');
  expect(text.split('\n').length).toBeLessThanOrEqual(200);
  for (const [, target = '', heading] of text.matchAll(/\]\((\.\.[^)#]+)(?:#([^)]+))?\)/g)) {
    const file = path.join('docs/ar', target);
    await access(inCheckout(file));
    const headings = Array.from((await read(file)).matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    if (heading !== undefined) expect(headings).toContain(heading);
  }
});

test('README says what it has to on at most ninety lines', async () => {
  expect((await read('README.md')).split('\n').length).toBeLessThanOrEqual(91);
});
