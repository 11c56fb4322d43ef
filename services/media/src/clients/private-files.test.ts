import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PrivateFiles } from './private-files.js';

const LEFT_BEHIND = 'recording-123e4567-e89b-42d3-a456-426614174000';

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'najwa-test-'));
});

afterEach(() => rm(parent, { recursive: true }));

const ownFolder = async () => join(parent, (await readdir(parent)).find((name) => name.startsWith('najwa-')) ?? '');

test('prepare removes only its own leftover files', async () => {
  await writeFile(join(parent, 'accounts.txt'), 'kept');
  await mkdir(join(parent, 'photos'));
  const files = new PrivateFiles(parent);
  await files.prepare();
  const folder = await ownFolder();
  for (const name of [LEFT_BEHIND, 'notes.txt', `${LEFT_BEHIND}.backup`]) await writeFile(join(folder, name), 'x');
  await files.prepare();
  expect((await readdir(parent)).sort()).toEqual(['accounts.txt', expect.stringContaining('najwa-'), 'photos']);
  expect((await readdir(folder)).sort()).toEqual(['notes.txt', `${LEFT_BEHIND}.backup`].sort());
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('recreates the recordings folder if the system removed it', async () => {
  const files = new PrivateFiles(parent);
  await files.prepare();
  await rm(await ownFolder(), { recursive: true });
  const file = await files.create();
  await file.close();
  expect((await stat(await ownFolder())).mode & 0o777).toBe(0o700);
});

test('a private file has no name and holds the written bytes', async () => {
  const files = new PrivateFiles(parent);
  await files.prepare();
  const file = await files.create();
  await file.append(Buffer.from('a '));
  await file.append(Buffer.from('voice'));
  expect(await readdir(await ownFolder())).toEqual([]);
  expect((await file.readAll()).toString()).toBe('a voice');
  await file.close();
  await file.close();
});
