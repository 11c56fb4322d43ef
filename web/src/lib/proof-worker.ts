import { solveProof, type ProofChallenge } from './proof-of-work.js';

/** A number is the progress, a string the proof. */
export type ProofAnswer = number | string;

const tell = (answer: ProofAnswer) => {
  postMessage(answer);
};

addEventListener('message', ({ data }: MessageEvent<ProofChallenge>) => {
  void solveProof(data, tell).then(tell);
});
