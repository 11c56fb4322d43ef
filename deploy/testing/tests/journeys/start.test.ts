// Long run: the start of all processes.
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isGoToolReady, MINIO, provideGoTool } from '@najwa/dev/bootstrap/go-programs';
import { freePort } from '@najwa/dev/processes/ports';
import { silentReporter } from '@najwa/dev/reporter';
import { startSystem, type System } from '@najwa/dev/system';
import { callsThrough, makeTestFolder, PIXEL } from '@najwa/testing';

const TIMEOUT_MS = 120_000;

let folder = '';
let gate = '';
let starting: Promise<System>;

beforeAll(async () => {
  folder = await makeTestFolder('najwa-start-');
  gate = path.join(folder, 'open');
});

afterAll(async () => {
  await writeFile(gate, '');
  await (await starting).stop();
  await rm(folder, { recursive: true, force: true });
}, TIMEOUT_MS);

/** MinIO waits for the gate. Resolves when texts work. @returns its address */
async function startWithoutMinio(): Promise<string> {
  const script = `#!/bin/sh\nwhile [ ! -e '${gate}' ]; do sleep 0.1; done\nexec '${await provideGoTool(MINIO)}' "$@"\n`;
  await writeFile(path.join(folder, 'minio'), script, { mode: 0o700 });
  const run = `test-${randomUUID().slice(0, 8)}`;
  const port = await freePort();
  await new Promise<void>((resolve, reject) => {
    starting = startSystem({
      dataDir: path.join(folder, 'data'),
      reporter: silentReporter,
      port,
      ownParts: ['s3'],
      persistent: false,
      databasePrefix: run,
      environment: {
        ...process.env,
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        AMQP_PREFIX: run,
        S3_BUCKET: run,
        LOG_LEVEL: 'warn',
      },
      onTextsWork: resolve,
    });
    starting.catch(reject);
  });
  return `http://127.0.0.1:${port}`;
}

// Elsewhere MinIO comes from a container, which cannot be delayed.
(((await isGoToolReady(MINIO)) ? test : test.skip) as typeof test)(
  'texts work while MinIO is away, a picture is refused in so many words, and is taken once MinIO is there',
  async () => {
    const url = await startWithoutMinio();
    const { newAccount, request, eventually } = callsThrough(url);
    const owner = await newAccount();
    const send = (more: object) =>
      request('POST', '/api/messages', { body: { userId: owner.id, content: 'مرحبا', ...more } });
    expect(await send({})).toMatchObject({ status: 201 });
    expect((await fetch(`${url}/m/${owner.username}`)).status).toBe(200);
    const refused = await send({ imageUrl: PIXEL });
    expect([refused.status, refused.body]).toMatchObject([503, { code: 'media_unavailable' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    await writeFile(gate, '');
    await starting;
    let imageUrl = '';
    await eventually(async () => {
      const sent = await send({ imageUrl: PIXEL });
      expect(sent.status).toBe(201);
      ({ imageUrl } = sent.body as { imageUrl: string });
    });
    expect((await fetch(`${url}/api${imageUrl}`, { headers: { cookie: owner.cookie } })).status).toBe(200);
  },
  TIMEOUT_MS,
);
