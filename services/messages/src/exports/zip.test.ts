import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { unzip } from '../../tests/support/unzip.js';
import { makeZip, type ZipEntry } from './zip.js';

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* await Promise.resolve(items);
}

async function zipOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of makeZip(each(entries))) parts.push(part);
  return Buffer.concat(parts);
}

test('a ZIP is readable from its start and by its directory, with deflated texts', async () => {
  const picture = randomBytes(100_000);
  const files: [string, ZipEntry['input'], Buffer][] = [
    ['account.json', Buffer.from('{"name":"نورة"}'), Buffer.from('{"name":"نورة"}')],
    ['messages.json', each(['[', 'سلام '.repeat(50_000), ']']), Buffer.from(`[${'سلام '.repeat(50_000)}]`)],
    ['sent.json', each<string>([]), Buffer.alloc(0)],
    ['pictures/1.webp', picture, picture],
    ['pictures/2.webp', Buffer.alloc(0), Buffer.alloc(0)],
  ];
  const zip = await zipOf(files.map(([name, input]) => ({ name, input })));
  const read = unzip(zip);
  expect([...read.keys()]).toEqual(files.map(([name]) => name));
  expect(files.filter(([name, , content]) => read.get(name)?.equals(content) !== true)).toEqual([]);
  expect(zip.length).toBeLessThan(picture.length + 4_000);
});

test('a ZIP fails with the error of an unreadable text', async () => {
  const broken = async function* (): AsyncGenerator<string> {
    yield* each(['[']);
    throw new Error('the database is away');
  };
  await expect(zipOf([{ name: 'messages.json', input: broken() }])).rejects.toThrow('the database is away');
});
