import { AppError } from '@najwa/common/errors';
import type { FairQueue } from '@najwa/common/limits';
import { LIMITS } from '@najwa/proto/http/client';
import {
  ANALYSIS_RATE,
  CHANNELS,
  LONGEST_STRETCH,
  SHORTEST_SECONDS,
  type AlteredSound,
  type VoiceType,
} from '@najwa/proto/voice';
import { FfmpegError, INHERITED_FILE, type Ffmpeg } from '../clients/ffmpeg.js';
import type { PrivateFiles } from '../clients/private-files.js';
import { decodeArguments, encodeArguments } from '../voice/arguments.js';
import { detectContainer } from '../voice/container.js';
import type { VoiceThreads } from '../voice/threads.js';
import { refuseRecording, type Recording } from './recordings.js';

export interface AlteredVoice {
  bytes: Buffer;
  contentType: 'audio/mp4';
  /** Seconds. */
  duration: number;
  /** Waveform, 0 to 100. */
  peaks: number[];
}

export interface VoiceChange {
  recording: Recording;
  voiceType: VoiceType;
  /** By the sender's device. */
  isAltered: boolean;
  /** Quota keys of the sender. */
  senderKey: string;
  senderSite?: string | undefined;
}

export interface VoiceChanger {
  /**
   * Alters the voice with randomly drawn parameters, unless the device has. Closes the recording once decoded and on
   * failure.
   * @throws {AppError} `invalid_input` for an unaccepted recording, `too_many_requests` if the sender has too many
   * waiting, `unavailable` if the queue is full or a step was interrupted
   */
  change(change: VoiceChange): Promise<AlteredVoice>;
}

export interface VoiceChangerDeps {
  ffmpeg: Ffmpeg;
  files: PrivateFiles;
  threads: VoiceThreads;
  enqueue: FairQueue;
  /** Charges a site the seconds to alter. @throws {AppError} `too_many_requests` */
  spend: (site: string, seconds: number) => Promise<void>;
}

const MAX_SECONDS = LIMITS.recordingSeconds;
/** Alteration stretches a recording, on a device too. */
const MAX_ALTERED_SECONDS = MAX_SECONDS * LONGEST_STRETCH;
const RETRY_AFTER_SECONDS = 10;

/** Enough to detect one that is too long. */
const EXCESS_SECONDS = 1;

const bytesOfDecoded = (seconds: number): number =>
  Math.ceil((seconds + EXCESS_SECONDS + 1) * ANALYSIS_RATE) * CHANNELS * Float32Array.BYTES_PER_ELEMENT;

export function createVoiceChanger({ ffmpeg, files, threads, enqueue, spend }: VoiceChangerDeps): VoiceChanger {
  const decode = async ({ file, head }: Recording, maxSeconds: number, site: string): Promise<Float32Array> => {
    const demuxer = detectContainer(head);
    if (demuxer === undefined) throw refuseRecording('unsupported');
    try {
      const args = decodeArguments(INHERITED_FILE, demuxer, maxSeconds + EXCESS_SECONDS);
      const maxOutput = bytesOfDecoded(maxSeconds);
      const decoded = samplesOf(await ffmpeg.run({ args, file: file.descriptor, maxOutput }));
      const seconds = decoded.length / CHANNELS / ANALYSIS_RATE;
      if (seconds >= maxSeconds) throw refuseRecording('too_long');
      if (seconds < SHORTEST_SECONDS) throw refuseRecording('too_short');
      await spend(site, seconds);
      return decoded;
    } catch (error) {
      if (error instanceof FfmpegError && !wasInterrupted(error)) throw refuseRecording('unsupported', error);
      throw error;
    } finally {
      await file.close();
    }
  };

  const encode = async (pcm: Int16Array): Promise<Buffer> => {
    const file = await files.create();
    try {
      const args = encodeArguments(INHERITED_FILE);
      await ffmpeg.run({
        args,
        input: new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength),
        file: file.descriptor,
        maxOutput: 0,
      });
      return await file.readAll();
    } finally {
      await file.close();
    }
  };

  const store = async ({ pcm, peaks }: AlteredSound): Promise<AlteredVoice> => ({
    bytes: await encode(pcm),
    contentType: 'audio/mp4',
    duration: pcm.length / ANALYSIS_RATE,
    peaks,
  });

  const alter = async (recording: Recording, site: string, voiceType: VoiceType): Promise<AlteredVoice> => {
    const prepared = await threads.prepare(await decode(recording, MAX_SECONDS, site));
    if (prepared.isSilent) throw refuseRecording('silent');
    return store(await threads.alter({ ...prepared, voiceType }));
  };

  const keep = async (recording: Recording, site: string): Promise<AlteredVoice> => {
    const { isSilent, ...sound } = await threads.keep(await decode(recording, MAX_ALTERED_SECONDS, site));
    if (isSilent) throw refuseRecording('silent');
    return store(sound);
  };

  return {
    async change({ recording, voiceType, isAltered, senderKey, senderSite: site = senderKey }) {
      try {
        return await enqueue({ sender: senderKey, site }, () =>
          isAltered ? keep(recording, site) : alter(recording, site, voiceType),
        );
      } catch (error) {
        if (wasInterrupted(error))
          throw new AppError({
            code: 'unavailable',
            message: 'The voice could not be altered just now. Try again shortly.',
            retryAfter: RETRY_AFTER_SECONDS,
            cause: error,
          });
        if (!(error instanceof FfmpegError)) throw error;
        throw new AppError({ code: 'internal', message: 'The voice could not be altered.', cause: error });
      }
    },
  };
}

/** The machine's fault, so a retry may succeed. */
const wasInterrupted = (error: unknown): boolean =>
  error instanceof FfmpegError
    ? error.code === 'killed' || error.code === 'too_slow'
    : error instanceof Error && error.name === 'AbortError';

/** Little-endian float PCM. Drops an incomplete last sample. */
const samplesOf = ({ buffer, byteOffset, length }: Buffer): Float32Array =>
  new Float32Array(buffer, byteOffset, Math.floor(length / Float32Array.BYTES_PER_ELEMENT));
