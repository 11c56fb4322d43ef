import { randomFillSync } from 'node:crypto';

const TOKEN_BYTES = 16;
/** For many: a call of the system's generator costs more than an answer. */
const random = Buffer.alloc(TOKEN_BYTES * 256);
let used = random.length;

export function newToken(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const value = random.toString('base64url', used, used + TOKEN_BYTES);
  random.fill(0, used, used + TOKEN_BYTES);
  used += TOKEN_BYTES;
  return value;
}
