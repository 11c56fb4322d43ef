import { run as admin } from './admin.js';
import { run as attack } from './attack.js';
import { run as inbox } from './inbox.js';
import { run as login } from './login.js';
import type { BenchResult } from './result.js';
import { run as visit } from './visit.js';
import { run as voice } from './voice.js';

export type { Aim, BenchResult } from './result.js';

/** Benchmarks by name, for `npm run bench:NAME`. */
export const benchmarks: Readonly<Record<string, () => Promise<BenchResult>>> = {
  admin,
  attack,
  inbox,
  login,
  visit,
  voice,
};
