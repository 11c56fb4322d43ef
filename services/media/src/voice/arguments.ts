import { ANALYSIS_RATE, LIMIT } from '@najwa/proto/voice';
import type { Demuxer } from './container.js';

const STORED_RATE = 44_100;
const COMMON_ARGUMENTS = ['-nostdin', '-hide_banner', '-v', 'error', '-max_alloc', String(128 * 1024 * 1024)];
const CODECS = 'opus,libopus,vorbis,libvorbis,aac,pcm_s16le,pcm_s24le,pcm_f32le';
const WITHOUT_TAGS = ['-map_metadata', '-1', '-map_chapters', '-1'];

/** The sound's upper bound. Without it, AAC adds noise above and overshoots by decibels. */
const CUTOFF_HZ = 8000;

/**
 * First audio track as stereo 32-bit float PCM: ffmpeg's mono mix would cancel a track inverted in one channel. Names
 * the demuxer, so that ffmpeg never follows a playlist or script.
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
 * 16-bit PCM at the analysis rate to AAC in MP4, faststart, without metadata. Resampling may slightly exceed the limit.
 */
export const encodeArguments = (file: string): string[] => [
  ...COMMON_ARGUMENTS,
  ...['-protocol_whitelist', 'pipe', '-f', 's16le', '-ar', String(ANALYSIS_RATE), '-ac', '1'],
  ...['-threads', '1', '-i', 'pipe:0'],
  ...['-af', `aresample=${STORED_RATE},aformat=channel_layouts=mono,alimiter=limit=${LIMIT}:level=0`],
  ...[
    '-c:a',
    'aac',
    '-aac_coder',
    'fast',
    // Temporal noise shaping can overshoot by up to 5.7 dB: a click.
    '-aac_tns',
    '0',
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
