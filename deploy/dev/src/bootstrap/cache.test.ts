import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createCache, type Cache } from './cache.js';

describe('the cache', () => {
  let home = '';
  let cache: Cache;
  let made = 0;

  const make = async (folder: string): Promise<void> => {
    made += 1;
    await writeFile(path.join(folder, 'program'), 'content');
  };

  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
    cache = createCache({ XDG_CACHE_HOME: home });
    made = 0;
  });
  afterEach(() => rm(home, { recursive: true }));

  test('prepares a result once', async () => {
    const first = await cache.once('thing-1', make);
    const second = await cache.once('thing-1', make);
    expect(second).toBe(first);
    expect(made).toBe(1);
    expect(await readFile(path.join(first, 'program'), 'utf8')).toBe('content');
  });

  test('prepares a result once for concurrent callers', async () => {
    const other = createCache({ XDG_CACHE_HOME: home });
    await Promise.all([cache.once('thing-1', make), other.once('thing-1', make)]);
    expect(made).toBe(1);
  });

  test('removes a failed result and retries the next time', async () => {
    const fails = async (folder: string): Promise<void> => {
      await writeFile(path.join(folder, 'half'), '');
      throw new Error('no network');
    };
    await expect(cache.once('thing-1', fails)).rejects.toThrow('no network');
    expect(await readdir(cache.folder)).toEqual([]);
    await cache.once('thing-1', make);
    expect(await cache.has('thing-1')).toBe(true);
  });

  test('takes over the lock of a killed process', async () => {
    await mkdir(path.join(cache.folder, 'thing-1.0a0b0c0d.new'), { recursive: true });
    // The process id was reused by a process with another start time.
    await writeFile(path.join(cache.folder, 'thing-1.lock'), JSON.stringify({ pid: process.pid, startedAt: '1' }));
    await cache.once('thing-1', make);
    expect(await readdir(cache.folder)).toEqual(['thing-1']);
  });

  test('stops waiting for another process when aborted', async () => {
    const stopping = new AbortController();
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const holder = cache.once('thing-1', () => {
      begin();
      return new Promise((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
    });
    await begun;
    const waiting = createCache({ XDG_CACHE_HOME: home }).once('thing-1', make, stopping.signal);
    stopping.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await holder;
  });
});
