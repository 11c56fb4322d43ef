import {
  alterVoice,
  ANALYSIS_RATE,
  prepare,
  warmUp,
  writeWav,
  type PreparedVoice,
  type VoiceType,
} from '@najwa/proto/voice';

/** A recording as interleaved stereo at the analysis rate, a voice to alter it to, or its end. */
export type VoiceOrder = { recorded: Float32Array<ArrayBuffer> } | { voiceType: VoiceType } | 'forget';

/** Never includes the random parameters: they would help to reverse the alteration. */
export type VoiceReport =
  | { name: 'prepared'; isSilent: boolean }
  | { name: 'progress'; share: number }
  | { name: 'altered'; wav: Uint8Array<ArrayBuffer>; seconds: number; peaks: number[] };

const report = (message: VoiceReport, transfer: Transferable[] = []) => {
  postMessage(message, { transfer });
};

let prepared: PreparedVoice | undefined;

addEventListener('message', ({ data }: MessageEvent<VoiceOrder>) => {
  if (data === 'forget') {
    prepared = undefined;
    return;
  }
  if ('recorded' in data) {
    prepared = prepare(data.recorded);
    report({ name: 'prepared', isSilent: prepared.isSilent });
    return;
  }
  if (prepared === undefined) throw new Error('There is no recording yet.');
  const { pcm, peaks } = alterVoice(prepared, data.voiceType, {
    onProgress: (share) => report({ name: 'progress', share }),
  });
  const wav = writeWav(pcm, ANALYSIS_RATE);
  report({ name: 'altered', wav, seconds: pcm.length / ANALYSIS_RATE, peaks }, [wav.buffer]);
});

// While the sender speaks.
warmUp();
