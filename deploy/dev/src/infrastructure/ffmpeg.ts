import { chmod, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Unavailable, valueOf } from '../bootstrap/environment.js';
import { onPath, outputOf } from '../bootstrap/processes.js';
import type { Step } from '../reporter.js';
import { fromEnvironment } from './from-environment.js';
import type { ProvidedPart, ProviderContext, Source, Provider } from './part.js';

const CONNECT_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;

const runs = async (executable: string): Promise<boolean> =>
  (await outputOf(executable, ['-hide_banner', '-version'])) !== undefined;

const partOf = (executable: string, source: Source, description = 'ffmpeg'): ProvidedPart => ({
  name: 'ffmpeg',
  source,
  description,
  env: { FFMPEG_BIN: executable },
  stop: () => Promise.resolve(),
});

async function onPathAs(source: Source): Promise<ProvidedPart | undefined> {
  const executable = await onPath('ffmpeg');
  return executable !== undefined && (await runs(executable)) ? partOf(executable, source) : undefined;
}

/** ffmpeg-static's own installer leaves half a file if interrupted. */
const STATIC = createRequire(import.meta.url)('ffmpeg-static/package.json') as {
  repository: { url: string };
  'ffmpeg-static': { 'binary-release-tag': string };
};

/** Reports each quarter. */
async function readAll(response: Response, step: Step): Promise<Buffer> {
  const length = Number(response.headers.get('content-length'));
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    received += chunk.length;
    const quarters = length > 0 ? Math.floor((received * 4) / length) : 0;
    if (quarters > 0) step.doing(`downloading ffmpeg: ${quarters * 25} % of ${Math.ceil(length / 1_048_576)} MB`);
  }
  return Buffer.concat(chunks);
}

/** @throws {Unavailable} within seconds if unreachable, or if it does not run on this machine */
export async function downloadFfmpeg(
  { cache, environment, signal }: Pick<ProviderContext, 'cache' | 'environment' | 'signal'>,
  step: Step,
): Promise<string> {
  const release = STATIC['ffmpeg-static']['binary-release-tag'];
  const file = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  const downloads = valueOf(environment, 'FFMPEG_BINARIES_URL') ?? `${STATIC.repository.url}/releases/download`;
  const unavailable = (cause: unknown): never => {
    signal.throwIfAborted();
    throw cause instanceof Unavailable ? cause : new Unavailable('ffmpeg could not be downloaded', { cause });
  };
  const folder = await cache
    .once(
      `ffmpeg-${release}-${process.platform}-${process.arch}`,
      async (fresh) => {
        step.doing('downloading ffmpeg');
        const connecting = new AbortController();
        const timer = setTimeout(() => connecting.abort(), CONNECT_TIMEOUT_MS);
        const response = await fetch(`${downloads}/${release}/ffmpeg-${process.platform}-${process.arch}.gz`, {
          signal: AbortSignal.any([signal, connecting.signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]),
        }).finally(() => clearTimeout(timer));
        if (!response.ok) throw new Unavailable(`ffmpeg's download answers ${response.status}`);
        const executable = path.join(fresh, file);
        await writeFile(executable, await promisify(gunzip)(await readAll(response, step)));
        await chmod(executable, 0o755);
        if (!(await runs(executable))) throw new Unavailable('the downloaded ffmpeg does not run here');
      },
      signal,
    )
    .catch(unavailable);
  return path.join(folder, file);
}

/** A program, so not available from containers. */
export const ffmpegProviders = (context: ProviderContext): Provider[] => [
  fromEnvironment('ffmpeg', context.environment, runs),
  { source: 'path', take: () => onPathAs('path') },
  {
    source: 'prepared',
    take: async (step) => partOf(await downloadFfmpeg(context, step), 'prepared', 'ffmpeg of ffmpeg-static'),
  },
  {
    source: 'prepared',
    async take(step) {
      step.doing('installing ffmpeg from Debian');
      await context.debian.install(['ffmpeg']);
      const part = await onPathAs('prepared');
      if (!part) throw new Unavailable('the ffmpeg that Debian installed does not run');
      return part;
    },
  },
];
