import { about } from './about.js';
import { account } from './account.js';
import { administration } from './administration.js';
import arabicPhrasings from './data/phrasings.ar.json' with { type: 'json' };
import englishPhrasings from './data/phrasings.en.json' with { type: 'json' };
import type { KnowledgeEntry } from './entry.js';
import { privacy } from './privacy.js';
import { profile } from './profile.js';
import { receiving } from './receiving.js';
import { sending } from './sending.js';
import { service } from './service.js';
import { voice } from './voice.js';

export type { KnowledgeEntry } from './entry.js';

/** All entries that the automatic mode can answer with. */
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

/** Ways to ask for each entry: entry id → questions in standard language, dialects and with typing errors. */
export const phrasings: { readonly ar: Phrasings; readonly en: Phrasings } = {
  ar: arabicPhrasings,
  en: englishPhrasings,
};

type Phrasings = Readonly<Record<string, readonly string[]>>;
