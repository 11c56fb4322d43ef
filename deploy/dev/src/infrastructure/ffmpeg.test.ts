import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createCache } from '../bootstrap/cache.js';
import { freePort } from '../processes/ports.js';
import { silentReporter } from '../reporter.js';
import { downloadFfmpeg } from './ffmpeg.js';

describe("ffmpeg-static's binary", () => {
  let folder = '';
  const requested: string[] = [];

  const download = (FFMPEG_BINARIES_URL: string): Promise<string> => {
    const environment = { XDG_CACHE_HOME: folder, FFMPEG_BINARIES_URL };
    const { signal } = new AbortController();
    return downloadFfmpeg({ environment, cache: createCache(environment), signal }, silentReporter.step(''));
  };

  const serve = async (handle: RequestListener, use: (url: string) => Promise<void>): Promise<void> => {
    const server = createServer((request, response) => {
      requested.push(request.url ?? '');
      handle(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
    requested.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('ffmpeg is downloaded once, and used where it runs', async () => {
    const program = gzipSync('#!/bin/sh\nexit 0\n');
    await serve(
      (_, response) => void response.end(program),
      async (url) => {
        const executable = await download(url);
        expect(executable).toContain(folder);
        expect(await download(url)).toBe(executable);
        expect(requested).toEqual([`/b6.1.1/ffmpeg-${process.platform}-${process.arch}.gz`]);
      },
    );
  });

  test.each([
    ['does not run here', gzipSync('#!/bin/sh\nexit 1\n'), 'the downloaded ffmpeg does not run here'],
    ['is cut off', gzipSync('#!/bin/sh\nexit 0\n').subarray(0, 20), 'ffmpeg could not be downloaded'],
  ])('a download of ffmpeg that %s is not kept', async (_, body, reason) => {
    await serve(
      (request, response) => void response.end(body),
      async (url) => {
        await expect(download(url)).rejects.toThrow(reason);
        expect(await readdir(path.join(folder, 'najwa'))).toEqual([]);
      },
    );
  });

  test('an unreachable ffmpeg is left to the next source', async () => {
    await expect(download(`http://127.0.0.1:${await freePort()}`)).rejects.toThrow('ffmpeg could not be downloaded');
    await serve(
      (_, response) => void response.writeHead(404).end(),
      async (url) => expect(download(url)).rejects.toThrow("ffmpeg's download answers 404"),
    );
  });
});
