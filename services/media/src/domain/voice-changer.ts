import { AppError, type BoundedQueue } from '@najwa/common';
import { FfmpegError, INHERITED_FILE, type Ffmpeg } from '../clients/ffmpeg.js';
import type { PrivateFiles } from '../clients/private-files.js';
import { ANALYSIS_RATE, decodeArguments, encodeArguments, transformArguments } from '../voice/arguments.js';
import { recogniseContainer } from '../voice/container.js';
import { drawBend, drawTransformation, TRANSFORM_RATE, type VoiceType } from '../voice/draw.js';
import type { VoiceThreads } from '../voice/threads.js';
import { refuseRecording, type Recording } from './recordings.js';

/** A voice message in the one form in which it is kept. */
export interface AlteredVoice {
  bytes: Buffer;
  contentType: 'audio/mp4';
  /** In seconds, measured. */
  duration: number;
  /** Its outline, from 0 to 100. */
  peaks: number[];
}

export interface VoiceChanger {
  /**
   * Makes of a recording the same words in another voice, with values drawn for this one time. The recording is gone as
   * soon as it is decoded, and on failure too.
   * @throws {AppError} `invalid_input` for what is no recording that we take, `unavailable` when too many wait
   */
  change(recording: Recording, voiceType: VoiceType): Promise<AlteredVoice>;
}

export interface VoiceChangerDeps {
  ffmpeg: Ffmpeg;
  files: PrivateFiles;
  threads: VoiceThreads;
  enqueue: BoundedQueue;
}

const MOST_SECONDS = 180;
const LEAST_SECONDS = 0.3;

/** One second more than allowed tells that it is too long, and no more of it is decoded. */
const DECODED_SECONDS = MOST_SECONDS + 1;

const DECODED_BYTES = (DECODED_SECONDS + 1) * ANALYSIS_RATE * Float32Array.BYTES_PER_ELEMENT;
const SLOWEST_TEMPO = 0.94;
const TRANSFORMED_BYTES = Math.ceil(
  ((MOST_SECONDS + 1) / SLOWEST_TEMPO) * TRANSFORM_RATE * Int16Array.BYTES_PER_ELEMENT,
);

export function createVoiceChanger({ ffmpeg, files, threads, enqueue }: VoiceChangerDeps): VoiceChanger {
  const decode = async ({ file, head }: Recording): Promise<Float32Array> => {
    const demuxer = recogniseContainer(head);
    if (demuxer === undefined) throw refuseRecording('unsupported');
    try {
      const args = decodeArguments(INHERITED_FILE, demuxer, DECODED_SECONDS);
      return samplesOf(await ffmpeg.run({ args, file: file.descriptor, mostOutput: DECODED_BYTES }), Float32Array);
    } catch (error) {
      if (error instanceof FfmpegError) throw refuseRecording('unsupported', error);
      throw error;
    } finally {
      await file.close();
    }
  };

  const encode = async (pcm: Int16Array, gain: number): Promise<Buffer> => {
    const file = await files.create();
    try {
      await ffmpeg.run({
        args: encodeArguments(gain, INHERITED_FILE),
        input: bytesOf(pcm),
        file: file.descriptor,
        mostOutput: 0,
      });
      return await file.readAll();
    } finally {
      await file.close();
    }
  };

  const alter = async (recording: Recording, voiceType: VoiceType): Promise<AlteredVoice> => {
    const decoded = await decode(recording);
    const seconds = decoded.length / ANALYSIS_RATE;
    if (seconds >= MOST_SECONDS) throw refuseRecording('too_long');
    if (seconds < LEAST_SECONDS) throw refuseRecording('too_short');

    const { samples, pitch, isSilent } = await threads.bend({ samples: decoded, alpha: drawBend() });
    if (isSilent) throw refuseRecording('silent');
    const args = transformArguments(drawTransformation(voiceType, pitch), seconds);
    const pcm = samplesOf(
      await ffmpeg.run({ args, input: bytesOf(samples), mostOutput: TRANSFORMED_BYTES }),
      Int16Array,
    );
    const { gain, peaks } = await threads.measure(pcm);
    return { bytes: await encode(pcm, gain), contentType: 'audio/mp4', duration: pcm.length / TRANSFORM_RATE, peaks };
  };

  return {
    async change(recording, voiceType) {
      try {
        return await enqueue(() => alter(recording, voiceType));
      } catch (error) {
        if (!(error instanceof FfmpegError)) throw error;
        throw new AppError({ code: 'internal', message: 'The voice could not be altered.', cause: error });
      }
    },
  };
}

type Samples<Kind> = new (buffer: ArrayBufferLike, offset: number, length: number) => Kind;

/** PCM as it comes from ffmpeg, on machines of the usual byte order. A last sample that is not whole is left out. */
function samplesOf<Kind>(bytes: Buffer, kind: Samples<Kind> & { BYTES_PER_ELEMENT: number }): Kind {
  const length = Math.floor(bytes.length / kind.BYTES_PER_ELEMENT);
  // A buffer may begin anywhere in its memory, and samples only at a multiple of their size.
  const { buffer } = new Uint8Array(bytes.subarray(0, length * kind.BYTES_PER_ELEMENT));
  return new kind(buffer, 0, length);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Int16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
