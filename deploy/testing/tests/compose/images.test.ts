import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { docker, imageOf, inProject, containerOf, SECRETS_AT_LEAST, secretValues, SERVERS, SERVICES } from './stack.js';

/** MB above the base image: media has ffmpeg and libvips, the gateway fonts and a rasteriser. */
const MAX_ADDED_MB: Record<string, number> = { gateway: 90, media: 80, web: 60 };
const MAX_OTHERS_MB = 50;

interface Image {
  Size: number;
  Config: { User: string; Labels: Record<string, string>; Env: string[]; Healthcheck?: object };
}

const inspectImage = async (name: string): Promise<Image> =>
  (JSON.parse(await docker('image', 'inspect', name)) as [Image])[0];

test.each(SERVICES)('the image of %s is small, without root, and says what it is', async (service) => {
  const { Size, Config } = await inspectImage(imageOf(service));
  expect(Config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(Config.Healthcheck).toBeDefined();
  expect(Config.Labels).toMatchObject({
    'org.opencontainers.image.title': `najwa/${service}`,
    'org.opencontainers.image.revision': expect.stringMatching(/^[\da-f]{40}$/),
  });
  const base = await inspectImage(Config.Labels['org.opencontainers.image.base.name'] ?? '');
  const limit = MAX_ADDED_MB[service] ?? MAX_OTHERS_MB;
  expect((Size - base.Size) / 1e6).toBeLessThan(limit);
});

test.each(SERVICES.filter((service) => service !== 'web'))('the image of %s has only what runs', async (service) => {
  const files = (
    await docker('run', '--rm', '--network', 'none', '--entrypoint', 'find', imageOf(service), '/app', '-type', 'f')
  ).split('\n');
  expect(files).toContain(`/app/services/${service}/dist/main.js`);
  expect(files.filter((file) => /\.(ts|map|tsbuildinfo)$|\/(Dockerfile|tsconfig[^/]*)$/.test(file))).toEqual([]);
  expect(files.filter((file) => /node_modules\/(typescript|jest|oxlint|@types)\//.test(file))).toEqual([]);
  const others = SERVICES.filter((other) => other !== service);
  expect(files.filter((file) => others.some((other) => file.startsWith(`/app/services/${other}/`)))).toEqual([]);
  const programs = await docker('run', '--rm', '--network', 'none', '--entrypoint', 'sh', imageOf(service), '-c', FIND);
  expect(programs.split('\n').filter(Boolean)).toEqual(service === 'media' ? ['/usr/local/bin/ffmpeg'] : []);
});
const FIND = 'for name in gcc make ffmpeg; do command -v $name || true; done';

// Threat model: else-2.
test.each([...SERVICES, ...SERVERS])('the container of %s is hardened', async (service) => {
  const [container] = JSON.parse(await docker('inspect', await containerOf(service))) as [
    {
      HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[]; SecurityOpt: string[]; Memory: number };
      State: { Health: { Status: string } };
    },
  ];
  const { ReadonlyRootfs, CapDrop, SecurityOpt, Memory } = container.HostConfig;
  expect({ ReadonlyRootfs, CapDrop, SecurityOpt }).toEqual({
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges:true'],
  });
  expect(Memory).toBeGreaterThan(0);
  expect(container.State.Health.Status).toBe('healthy');
});

/** @returns the printed ones of the texts */
async function findInOutput(args: readonly string[], texts: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const overlap = Math.max(...texts.map(({ length }) => length));
  const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let before = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    size += chunk.length;
    const part = Buffer.concat([before, chunk]);
    for (const text of texts) if (part.includes(text)) found.add(text);
    before = part.subarray(-overlap);
  }
  expect(size).toBeGreaterThan(0);
  return [...found];
}

test('no secret is in a layer or in the configuration of an image', async () => {
  const secrets = await secretValues();
  expect(secrets.length).toBeGreaterThanOrEqual(SECRETS_AT_LEAST);
  const marker = 'org.opencontainers.image.revision';
  const found = await findInOutput(['save', ...SERVICES.map(imageOf)], [...secrets, marker]);
  // The marker proves that the scan works.
  expect(found).toEqual([marker]);
});

test('no secret is in a log', async () => {
  const marker = '"msg":"ready"';
  const logs = await inProject('logs', '--no-color');
  const texts = [...(await secretValues()), marker];
  expect(texts.filter((text) => logs.includes(text))).toEqual([marker]);
});
