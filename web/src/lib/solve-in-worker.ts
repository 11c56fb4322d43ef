import { MAX_BITS, solveProof, type ProofChallenge } from './proof-of-work.js';

/**
 * Solves a challenge beside the page. Where there are no workers, it does so in the page.
 * @returns the value of the `Proof-Of-Work` header
 * @throws {RangeError} if the challenge asks for more work than a page should do
 */
export async function solveInWorker(challenge: ProofChallenge): Promise<string> {
  if (typeof Worker === 'undefined' || challenge.bits > MAX_BITS) return solveProof(challenge);
  const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<string>) => {
        resolve(data);
      });
      worker.addEventListener('error', () => {
        solveProof(challenge).then(resolve, reject);
      });
      worker.postMessage(challenge);
    });
  } finally {
    worker.terminate();
  }
}
