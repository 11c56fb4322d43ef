// Long run: renders all manifests.
import { execFile } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { checkoutRoot } from '@najwa/dev/bootstrap/environment';
import { parse, parseAllDocuments } from 'yaml';
import { composeFile, kubernetesFile } from '../../release/contents.js';

interface Service {
  image: string;
  build?: unknown;
  pull_policy?: unknown;
  volumes?: string[];
}

/** Gives every image a digest of the registry of a release. */
const DIGEST = `@sha256:${'a'.repeat(64)}`;
const pushed = new Map(
  [
    ...['admin', 'auth', 'backup', 'chatbot', 'gateway', 'media', 'messages', 'tracking', 'web'].map(
      (name) => `najwa/${name}`,
    ),
    ...['caddy:2.11.4', 'mongo:8.0', 'rabbitmq:4.1-management', 'pgsty/silo:RELEASE.2026-09-03T13-18-01Z'],
  ].map((name) => [name, `registry.example/${name.replace(/:.*/, '')}${DIGEST}`]),
);

test('the Compose file of a release has images by digest, and needs no other file', async () => {
  const { services } = parse(await composeFile(pushed, '')) as { services: Record<string, Service> };
  expect(Object.keys(services)).toContain('caddy');
  for (const [name, { image, build, pull_policy: policy, volumes = [] }] of Object.entries(services)) {
    expect([name, image]).toEqual([name, expect.stringContaining(DIGEST)]);
    expect([name, build, policy]).toEqual([name, undefined, undefined]);
    expect(volumes.filter((volume) => volume.startsWith('.'))).toEqual([]);
  }
});

test('the manifests of a release have images by digest, and no secret', async () => {
  const text = await kubernetesFile(pushed, '');
  const objects = parseAllDocuments(text).map((document) => document.toJS() as { kind: string });
  const kinds = objects.map(({ kind }) => kind);
  expect(kinds).not.toContain('Secret');
  expect(kinds).toEqual(expect.arrayContaining(['Job', 'Deployment', 'StatefulSet', 'NetworkPolicy']));
  // As kubectl reads it.
  expect(parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as unknown)).toEqual(objects);
  const images = Array.from(text.matchAll(/\bimage: (\S+)/g), ([, image]) => image);
  expect(images.length).toBeGreaterThan(10);
  for (const image of images) expect(image).toContain(DIGEST);
});

test('a release without an entry in the changelog is refused', async () => {
  const said = await new Promise<string>((resolve) => {
    execFile('node', ['deploy/release/release.js', '99.0.0', '--notes'], { cwd: checkoutRoot }, (_error, _out, err) =>
      resolve(err),
    );
  });
  expect(said).toMatch(/^CHANGELOG\.md has no entry of 99\.0\.0/);
});
