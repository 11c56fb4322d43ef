import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { inCheckout, SetupError } from '@najwa/dev/bootstrap/environment';
import { isSmoke } from '@najwa/dev/bootstrap/smoke';

export interface Speaker {
  name: string;
  /** Paths. */
  recordings: string[];
}

export interface Corpus {
  /** Never heard by the recogniser. */
  tested: Speaker[];
  /** For training. */
  background: Speaker[];
}

const AUDIO = ['.flac', '.wav', '.ogg', '.opus', '.mp3', '.m4a', '.mp4', '.webm'];

/** Half to enrol, half to try. */
const RECORDINGS = 10;
const MIN_TESTED = 8;
const MAX_TESTED = 40;
const MIN_BACKGROUND = 40;

const HOW_TO_GET_ONE =
  'Set ANONYMITY_CORPUS to a folder with a folder of recordings for each speaker. LibriSpeech has such a layout and may ' +
  'be used freely (CC BY 4.0): unpack test-other.tar.gz and train-clean-100.tar.gz from openslr.org/12, and put the ' +
  'folders of their speakers into one.';

const sample = (name: string): string => inCheckout('services/media/tests/samples', `speech-${name}`);

/** Enough for every step, not for figures. */
const SMOKE_CORPUS: Corpus = {
  tested: [
    { name: 'women', recordings: ['en-woman-103.webm', 'en-woman-1069.mp4'].map(sample) },
    { name: 'men', recordings: ['en-man-1034.wav', 'en-man-1081.ogg'].map(sample) },
  ],
  background: [
    { name: 'one', recordings: [sample('ar-1.webm')] },
    { name: 'another', recordings: [sample('ar-2.mp4')] },
  ],
};

/** @throws {SetupError} with too few speakers */
export async function readCorpus(folder: string | undefined): Promise<Corpus> {
  if (isSmoke) return SMOKE_CORPUS;
  if (folder === undefined) {
    throw new SetupError(
      `The samples in services/media/tests/samples have seven speakers with one recording each: too few. ${HOW_TO_GET_ONE}`,
    );
  }
  const folders = (await readdir(folder, { withFileTypes: true })).filter((entry) => !entry.name.startsWith('.'));
  const speakers = await Promise.all(
    folders.map(async ({ name }) => ({ name, recordings: await audioIn(join(folder, name)) })),
  );
  const corpus = divide(speakers.filter(({ recordings }) => recordings.length > 0));
  if (corpus.tested.length < MIN_TESTED || corpus.background.length < MIN_BACKGROUND) {
    throw new SetupError(
      `Needed are ${MIN_TESTED} speakers with ${RECORDINGS} recordings each, and ${MIN_BACKGROUND} others. ` +
        `${folder} has ${corpus.tested.length} and ${corpus.background.length}. ${HOW_TO_GET_ONE}`,
    );
  }
  return corpus;
}

/** Up to a quarter of the speakers with enough recordings, or all if enough others remain. */
export function divide(speakers: readonly Speaker[]): Corpus {
  const sorted = speakers.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  const able = sorted.filter(({ recordings }) => recordings.length >= RECORDINGS);
  const others = sorted.length - able.length;
  const count = Math.min(MAX_TESTED, others >= MIN_BACKGROUND ? able.length : Math.ceil(able.length / 4));
  const tested = able.slice(0, count);
  return {
    tested: tested.map(({ name, recordings }) => ({ name, recordings: recordings.slice(0, RECORDINGS) })),
    background: sorted.filter((speaker) => !tested.includes(speaker)),
  };
}

async function audioIn(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return [];
    throw error;
  });
  return files
    .filter((file) => AUDIO.includes(extname(file).toLowerCase()))
    .sort()
    .map((file) => join(folder, file));
}
