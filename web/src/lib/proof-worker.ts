import { solveProof, type ProofChallenge } from './proof-of-work.js';

addEventListener('message', ({ data }: MessageEvent<ProofChallenge>) => {
  void solveProof(data).then((proof) => {
    postMessage(proof);
  });
});
