import { describe, expect, test } from '@jest/globals';
import { SetupError, Unavailable } from '../bootstrap/environment.js';
import { silentReporter } from '../reporter.js';
import type { ProvidedPart, Source, Provider } from './part.js';
import { resolvePart } from './resolve.js';

const part = (source: Source): ProvidedPart => ({
  name: 'mongo',
  source,
  description: source,
  env: {},
  stop: () => Promise.resolve(),
});

const works = (source: Source): Provider => ({ source, take: () => Promise.resolve(part(source)) });
const isNotAskedFor = (source: Source): Provider => ({ source, take: () => Promise.resolve(undefined) });
const fails = (source: Source, error: Error): Provider => ({ source, take: () => Promise.reject(error) });

const resolve = (providers: Provider[], signal = new AbortController().signal) =>
  resolvePart(providers, silentReporter.step(''), {
    title: 'MongoDB',
    advice: 'start a Docker engine, or set MONGO_URL',
    signal,
  });

describe('resolving a part', () => {
  test('takes the part from the first provider that works', async () => {
    const { source } = await resolve([isNotAskedFor('environment'), works('path'), works('docker')]);
    expect(source).toBe('path');
  });

  test('tries the next provider when one fails', async () => {
    const { source } = await resolve([
      fails('path', new SetupError('mongod ended.')),
      fails('docker', new Unavailable('no Docker engine answers')),
      works('prepared'),
    ]);
    expect(source).toBe('prepared');
  });

  test('does not fall back when the server in the environment does not respond', async () => {
    const refused = resolve([
      fails('environment', new SetupError('MONGO_URL is set, but the server does not respond.')),
      works('path'),
    ]);
    await expect(refused).rejects.toThrow('MONGO_URL is set');
  });

  test('reports in one sentence what was tried and what to do', async () => {
    const refused = resolve([
      fails('docker', new Unavailable('no Docker engine answers')),
      fails('prepared', new Unavailable('only root could install it')),
    ]);
    await expect(refused).rejects.toThrow(
      'MongoDB is missing, and could not be prepared (no Docker engine answers; only root could install it): start a Docker engine, or set MONGO_URL.',
    );
  });

  test('does not catch unexpected errors', async () => {
    await expect(resolve([fails('path', new TypeError('oops')), works('docker')])).rejects.toThrow('oops');
  });

  test('tries no other provider after an abort', async () => {
    const stopping = new AbortController();
    const stops: Provider = {
      source: 'path',
      take: () => {
        stopping.abort(new Error('stopped'));
        return Promise.reject(new Unavailable('interrupted'));
      },
    };
    await expect(resolve([stops, works('docker')], stopping.signal)).rejects.toThrow('stopped');
  });
});
