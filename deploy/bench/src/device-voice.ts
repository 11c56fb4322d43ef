// Alters standard input (interleaved stereo at the analysis rate) as the recorder's worker does; prints time and
// memory.
// A process of its own is as cold as a new worker.
import { buffer } from 'node:stream/consumers';
import { alterVoice, ANALYSIS_RATE, prepare, warmUp, writeWav } from '@najwa/proto/voice';

const input = await buffer(process.stdin);
const recorded = new Float32Array(input.buffer, input.byteOffset, input.length / Float32Array.BYTES_PER_ELEMENT);
const idle = process.resourceUsage().maxRSS;
warmUp();
const began = performance.now();
const { pcm } = alterVoice(prepare(recorded), 'female');
writeWav(pcm, ANALYSIS_RATE);
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ seconds, megabytes: (process.resourceUsage().maxRSS - idle) / 1024 }));
