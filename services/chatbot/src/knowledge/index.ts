import { z } from 'zod';
import entries from './data/entries.json' with { type: 'json' };
import arabicPhrasings from './data/phrasings.ar.json' with { type: 'json' };
import englishPhrasings from './data/phrasings.en.json' with { type: 'json' };

const text = z.string().min(1);

/** `question` is phrased for suggestions. */
const wording = z.strictObject({ question: text, answer: text });

/** `related`: entry ids to suggest next. */
const knowledgeEntry = z.strictObject({ id: text, related: z.array(text), ar: wording, en: wording });

export type KnowledgeEntry = z.output<typeof knowledgeEntry>;

export const knowledge: readonly KnowledgeEntry[] = Object.values(
  z.record(text, z.array(knowledgeEntry)).parse(entries),
).flat();

const phrasingsById = z.record(text, z.array(text));

/** By entry id: formal and dialect phrasings, and typos. */
export const phrasings = { ar: phrasingsById.parse(arabicPhrasings), en: phrasingsById.parse(englishPhrasings) };
