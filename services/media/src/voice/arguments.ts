import { ANALYSIS_RATE, LIMIT, PASSED_HZ, TRANSFORM_RATE, type Transformation } from '@najwa/proto/voice';
import type { Demuxer } from './container.js';

const STORED_RATE = 44_100;
const COMMON_ARGUMENTS = ['-nostdin', '-hide_banner', '-v', 'error', '-max_alloc', String(128 * 1024 * 1024)];
const CODECS = 'opus,libopus,vorbis,libvorbis,aac,pcm_s16le,pcm_s24le,pcm_f32le';
const WITHOUT_TAGS = ['-map_metadata', '-1', '-map_chapters', '-1'];

/** The sound has nothing above this. Without the cutoff, AAC adds noise there and overshoots the limit by decibels. */
const CUTOFF_HZ = 8000;

/** More than rubberband can cut off the end. */
const PADDING_SECONDS = 0.03;

/**
 * Decodes only the first audio track, to stereo 32-bit float PCM: ffmpeg's own mono would add the channels, and lose a
 * sound that is inverted in one of them. Names the detected container explicitly, so that ffmpeg
 * never follows a playlist or script in another format.
 */
export const decodeArguments = (file: string, demuxer: Demuxer, maxSeconds: number): string[] => [
  ...COMMON_ARGUMENTS,
  ...[
    '-protocol_whitelist',
    'file',
    '-f',
    demuxer,
    '-codec_whitelist',
    CODECS,
    '-probesize',
    '2M',
    '-analyzeduration',
    '5M',
    '-threads',
    '1',
    '-i',
    file,
  ],
  ...['-map', '0:a:0', '-vn', '-sn', '-dn', ...WITHOUT_TAGS],
  ...[
    '-af',
    `aresample=${ANALYSIS_RATE}:async=0,asetpts=N/SR/TB`,
    '-ac',
    '2',
    '-t',
    String(maxSeconds),
    '-f',
    'f32le',
    'pipe:1',
  ],
];

/**
 * Alters a voice: float PCM at the analysis rate in, 16-bit PCM at the transform rate out, never shorter than the
 * input.
 */
export function transformArguments({ playedRate, tempo, pitch }: Transformation, seconds: number): string[] {
  const filters = [
    'aformat=channel_layouts=mono',
    `aresample=${TRANSFORM_RATE}`,
    'highpass=f=70',
    'volume=-9dB',
    `asetrate=${playedRate}`,
    `aresample=${TRANSFORM_RATE}`,
    `rubberband=tempo=${tempo.toFixed(6)}:pitch=${pitch.toFixed(6)}:formant=preserved:pitchq=quality`,
    `highpass=f=${PASSED_HZ.lowest}`,
    `lowpass=f=${PASSED_HZ.highest}:p=2`,
    `apad=whole_dur=${(seconds + PADDING_SECONDS).toFixed(6)}`,
  ];
  return [...COMMON_ARGUMENTS, ...fromPcm('f32le', ANALYSIS_RATE), '-af', filters.join(','), '-f', 's16le', 'pipe:1'];
}

/** Brings a sound that is altered already to the transform rate: float PCM at the analysis rate in, 16-bit PCM out. */
export const resampleArguments = (): string[] => [
  ...COMMON_ARGUMENTS,
  ...fromPcm('f32le', ANALYSIS_RATE),
  ...['-af', `aresample=${TRANSFORM_RATE}`, '-f', 's16le', 'pipe:1'],
];

/** Encodes PCM as AAC in an MP4 with its index first (faststart) and without metadata. */
export const encodeArguments = (gain: number, file: string): string[] => [
  ...COMMON_ARGUMENTS,
  ...fromPcm('s16le', TRANSFORM_RATE),
  ...[
    '-af',
    `volume=${gain.toFixed(3)}dB,aresample=${STORED_RATE},aformat=channel_layouts=mono,alimiter=limit=${LIMIT}:level=0`,
  ],
  ...[
    '-c:a',
    'aac',
    '-aac_coder',
    'fast',
    '-b:a',
    '64k',
    '-cutoff',
    String(CUTOFF_HZ),
    ...WITHOUT_TAGS,
    '-fflags',
    '+bitexact',
    '-flags:a',
    '+bitexact',
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    '-y',
    file,
  ],
];

const fromPcm = (format: string, rate: number): string[] => [
  ...['-protocol_whitelist', 'pipe', '-f', format, '-ar', String(rate), '-ac', '1', '-threads', '1', '-i', 'pipe:0'],
];
