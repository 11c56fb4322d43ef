// Alters the recording of its standard input, interleaved stereo at the analysis rate, as the recorder's worker does, and prints how
// long that took and how much memory. A process of its own begins as cold as a worker, which warms up before there is a recording.
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
