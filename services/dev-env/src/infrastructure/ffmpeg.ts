import { Unavailable } from '../bootstrap/environment.js';
import { onPath, outputOf } from '../bootstrap/processes.js';
import { fromEnvironment } from './from-environment.js';
import type { ProvidedPart, ProviderContext, Source, Provider } from './part.js';

const runs = async (executable: string): Promise<boolean> =>
  (await outputOf(executable, ['-hide_banner', '-version'])) !== undefined;

const partOf = (executable: string, source: Source): ProvidedPart => ({
  name: 'ffmpeg',
  source,
  description: 'ffmpeg',
  env: { FFMPEG_BIN: executable },
  stop: () => Promise.resolve(),
});

async function onPathAs(source: Source): Promise<ProvidedPart | undefined> {
  const executable = await onPath('ffmpeg');
  return executable !== undefined && (await runs(executable)) ? partOf(executable, source) : undefined;
}

/** Not available from containers: ffmpeg is a program, not a server. */
export const ffmpegProviders = ({ environment, debian }: ProviderContext): Provider[] => [
  fromEnvironment('ffmpeg', environment, runs),
  { source: 'path', take: () => onPathAs('path') },
  {
    source: 'prepared',
    async take(step) {
      step.doing('installing ffmpeg from Debian');
      await debian.install(['ffmpeg']);
      const part = await onPathAs('prepared');
      if (!part) throw new Unavailable('the ffmpeg that Debian installed does not run');
      return part;
    },
  },
];
