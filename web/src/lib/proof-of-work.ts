/** See `ProofChallenge.bits` of the contract. */
export interface ProofChallenge {
  challenge: string;
  /** SHA-256 of `<challenge>.<counter>` must begin with this many zero bits. */
  bits: number;
}

/** More would take minutes. */
export const MAX_BITS = 24;

/** Pauses this often, so that the page stays responsive. */
const SLICE_MS = 12;
const HASHES_PER_CHECK = 256;

const BLOCK = 64;

const ROUND_CONSTANTS = Uint32Array.from(
  '428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070 19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2'
    .split(' ')
    .map((constant) => Number.parseInt(constant, 16)),
);

const INITIAL_STATE = Uint32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
);

const words = new Uint32Array(BLOCK);

/** Every index below is within bounds. */
const at = (values: Uint32Array, index: number) => values[index] ?? 0;

const rotate = (value: number, by: number) => (value >>> by) | (value << (32 - by));

/** One 64-byte block of SHA-256 (FIPS 180-4). */
function addBlock(state: Uint32Array, bytes: DataView, offset: number): void {
  for (let i = 0; i < 16; i += 1) words[i] = bytes.getUint32(offset + 4 * i);
  for (let i = 16; i < BLOCK; i += 1) {
    const early = at(words, i - 15);
    const late = at(words, i - 2);
    const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[i] = at(words, i - 16) + sigma0 + at(words, i - 7) + sigma1;
  }
  let a = at(state, 0);
  let b = at(state, 1);
  let c = at(state, 2);
  let d = at(state, 3);
  let e = at(state, 4);
  let f = at(state, 5);
  let g = at(state, 6);
  let h = at(state, 7);
  for (let i = 0; i < BLOCK; i += 1) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const temporary = (h + sum1 + choice + at(ROUND_CONSTANTS, i) + at(words, i)) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + temporary) | 0;
    d = c;
    c = b;
    b = a;
    a = (temporary + sum0 + majority) | 0;
  }
  state[0] = at(state, 0) + a;
  state[1] = at(state, 1) + b;
  state[2] = at(state, 2) + c;
  state[3] = at(state, 3) + d;
  state[4] = at(state, 4) + e;
  state[5] = at(state, 5) + f;
  state[6] = at(state, 6) + g;
  state[7] = at(state, 7) + h;
}

/** Hashes `prefix + counter`, with the prefix's whole blocks hashed once. ASCII only. */
function createHasher(prefix: string): (counter: number) => Uint32Array {
  const prefixState = INITIAL_STATE.slice();
  const encoder = new TextEncoder();
  const prefixBytes = encoder.encode(prefix);
  const wholeBlocks = prefixBytes.length - (prefixBytes.length % BLOCK);
  const prefixView = new DataView(prefixBytes.buffer, prefixBytes.byteOffset);
  for (let offset = 0; offset < wholeBlocks; offset += BLOCK) addBlock(prefixState, prefixView, offset);

  const rest = prefixBytes.length - wholeBlocks;
  const tail = new Uint8Array(3 * BLOCK);
  const view = new DataView(tail.buffer);
  const state = new Uint32Array(prefixState.length);
  tail.set(prefixBytes.subarray(wholeBlocks));

  return (counter) => {
    const digits = String(counter);
    for (let i = 0; i < digits.length; i += 1) tail[rest + i] = digits.charCodeAt(i);
    const length = rest + digits.length;
    const end = BLOCK * Math.ceil((length + 9) / BLOCK);
    tail[length] = 0x80;
    tail.fill(0, length + 1, end);
    view.setUint32(end - 4, 8 * (wholeBlocks + length));
    state.set(prefixState);
    for (let offset = 0; offset < end; offset += BLOCK) addBlock(state, view, offset);
    return state;
  };
}

function hasZeroBits(hash: Uint32Array, bits: number): boolean {
  return bits === 0 || at(hash, 0) >>> (32 - bits) === 0;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * @param onProgress receives the probability of having found a proof by now
 * @returns the value of the `Proof-Of-Work` header
 * @throws {RangeError} above `MAX_BITS`
 */
export async function solveProof(
  { challenge, bits }: ProofChallenge,
  onProgress?: (share: number) => void,
): Promise<string> {
  if (!Number.isInteger(bits) || bits < 0 || bits > MAX_BITS) throw new RangeError('The proof of work is too hard.');
  const hash = createHasher(`${challenge}.`);
  let sliceEnd = performance.now() + SLICE_MS;
  for (let counter = 0; ; counter += 1) {
    if (hasZeroBits(hash(counter), bits)) return `${challenge}.${String(counter)}`;
    if (counter % HASHES_PER_CHECK === 0 && performance.now() > sliceEnd) {
      // The number of failures is geometric: each counter has the same chance.
      onProgress?.(1 - Math.exp(-counter / 2 ** bits));
      await pause();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
}
