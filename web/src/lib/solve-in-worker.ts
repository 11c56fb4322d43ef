import { MAX_BITS, solveProof, type ProofChallenge } from './proof-of-work.js';
import type { ProofAnswer } from './proof-worker.js';

/** In a worker, or in the page where unsupported. See `solveProof`. */
export async function solveInWorker(challenge: ProofChallenge, onProgress: (share: number) => void): Promise<string> {
  onProgress(0);
  if (challenge.bits > MAX_BITS) return solveProof(challenge, onProgress);
  let worker: Worker;
  try {
    worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' });
  } catch {
    return solveProof(challenge, onProgress);
  }
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<ProofAnswer>) => {
        if (typeof data === 'string') resolve(data);
        else onProgress(data);
      });
      worker.addEventListener('error', () => {
        solveProof(challenge, onProgress).then(resolve, reject);
      });
      worker.postMessage(challenge);
    });
  } finally {
    worker.terminate();
  }
}
