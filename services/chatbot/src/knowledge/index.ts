import { about } from './about.js';
import { account } from './account.js';
import { administration } from './administration.js';
import type { KnowledgeEntry } from './entry.js';
import { privacy } from './privacy.js';
import { profile } from './profile.js';
import { receiving } from './receiving.js';
import { sending } from './sending.js';
import { service } from './service.js';
import { voice } from './voice.js';

/** Everything that the automatic mode knows. */
export const knowledge: readonly KnowledgeEntry[] = [
  ...about,
  ...account,
  ...profile,
  ...sending,
  ...voice,
  ...receiving,
  ...privacy,
  ...administration,
  ...service,
];
