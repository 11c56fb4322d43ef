import { LIMITS } from '@najwa/proto/http/client';
import { ANALYSIS_RATE, SHORTEST_SECONDS } from '@najwa/proto/voice';
import type { VoiceType } from './api.js';
import type { VoiceOrder, VoiceReport } from './voice-worker.js';

export interface AlteredVoice {
  audio: Blob;
  seconds: number;
  /** From 0 to 100. */
  peaks: readonly number[];
}

/** The recording is at fault, as the server would say. */
export class RecordingRefused extends Error {
  constructor(readonly fault: 'too_short' | 'too_long' | 'silent') {
    super(`The recording is ${fault}.`);
    this.name = 'RecordingRefused';
  }
}

export interface DeviceVoice {
  /**
   * Voices requested afterwards are of this recording.
   * @throws {RecordingRefused} and any other error where this device cannot do it
   */
  read: (recording: Blob) => Promise<void>;
  alter: (voiceType: VoiceType, onProgress: (share: number) => void) => Promise<AlteredVoice>;
  forget: () => void;
}

const WAV = 'audio/wav';

/** To interleaved stereo. Decoders also resample. */
async function decode(recording: Blob): Promise<Float32Array<ArrayBuffer>> {
  const context = new OfflineAudioContext(1, 1, ANALYSIS_RATE);
  const sound = await context.decodeAudioData(await recording.arrayBuffer());
  if (sound.duration >= LIMITS.recordingSeconds) throw new RecordingRefused('too_long');
  if (sound.duration < SHORTEST_SECONDS) throw new RecordingRefused('too_short');
  const left = sound.getChannelData(0);
  const right = sound.numberOfChannels > 1 ? sound.getChannelData(1) : left;
  const stereo = new Float32Array(2 * left.length);
  for (let index = 0; index < left.length; index += 1) {
    stereo[2 * index] = left[index] ?? 0;
    stereo[2 * index + 1] = right[index] ?? 0;
  }
  return stereo;
}

let opened: DeviceVoice | null = null;

/**
 * Null where unsupported. The code stays, since the connection may be lost. After a failure, the next recorder retries.
 */
export function deviceVoice(): DeviceVoice | null {
  opened ??= open();
  return opened;
}

function open(): DeviceVoice | null {
  if (!('OfflineAudioContext' in window)) return null;
  let worker: Worker;
  try {
    worker = new Worker(new URL('./voice-worker.ts', import.meta.url), { type: 'module' });
  } catch {
    return null;
  }
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => (fail = reject));
  failed.catch(() => undefined);
  worker.addEventListener('error', () => {
    opened = null;
    worker.terminate();
    fail(new Error('The voice cannot be altered on this device.'));
  });

  /** One at a time: reports do not name their request. */
  let last: Promise<unknown> = Promise.resolve();

  const ask = <Report extends VoiceReport['name']>(
    order: Exclude<VoiceOrder, 'forget'>,
    name: Report,
    onProgress: (share: number) => void = () => undefined,
  ): Promise<Extract<VoiceReport, { name: Report }>> => {
    const answer = new Promise<Extract<VoiceReport, { name: Report }>>((resolve) => {
      const listen = ({ data }: MessageEvent<VoiceReport>) => {
        if (data.name === 'progress') onProgress(data.share);
        if (data.name !== name) return;
        worker.removeEventListener('message', listen);
        resolve(data as Extract<VoiceReport, { name: Report }>);
      };
      worker.addEventListener('message', listen);
      worker.postMessage(order, 'recorded' in order ? [order.recorded.buffer] : []);
    });
    return Promise.race([answer, failed]);
  };

  const inTurn = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };

  return {
    read: (recording) =>
      inTurn(async () => {
        const { isSilent } = await ask({ recorded: await decode(recording) }, 'prepared');
        if (isSilent) throw new RecordingRefused('silent');
      }),
    alter: (voiceType, onProgress) =>
      inTurn(async () => {
        const { wav, seconds, peaks } = await ask({ voiceType }, 'altered', onProgress);
        return { audio: new Blob([wav], { type: WAV }), seconds, peaks };
      }),
    forget: () => {
      void inTurn(() => Promise.resolve(worker.postMessage('forget' satisfies VoiceOrder)));
    },
  };
}
