import { run as admin } from './admin.js';
import { run as anonymity } from './anonymity.js';
import { run as attack } from './attack.js';
import { run as chaos } from './chaos/index.js';
import { run as inbox } from './inbox.js';
import { run as login } from './login.js';
import { run as push } from './push.js';
import type { BenchResult } from './result.js';
import { run as soak } from './soak.js';
import { run as streams } from './streams.js';
import { run as visit } from './visit/index.js';
import { run as voice } from './voice.js';
import { run as web } from './web.js';

export type { Aim, BenchResult } from './result.js';

/** Benchmarks by name, for `npm run bench:NAME`. */
export const benchmarks: Readonly<Record<string, () => Promise<BenchResult>>> = {
  admin,
  anonymity,
  attack,
  chaos,
  inbox,
  login,
  push,
  soak,
  streams,
  visit,
  voice,
  web,
};
