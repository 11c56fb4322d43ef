import { z } from 'zod';
import entries from './data/entries.json' with { type: 'json' };
import arabicPhrasings from './data/phrasings.ar.json' with { type: 'json' };
import englishPhrasings from './data/phrasings.en.json' with { type: 'json' };

const text = z.string().min(1);

/** `question` as the assistant suggests it. */
const wording = z.strictObject({ question: text, answer: text });

/** A question about the product and its answer; `related` are the ids of entries to suggest next. */
const knowledgeEntry = z.strictObject({ id: text, related: z.array(text), ar: wording, en: wording });

export type KnowledgeEntry = z.output<typeof knowledgeEntry>;

/** All entries that the automatic mode can answer with. The data have them by subject. */
export const knowledge: readonly KnowledgeEntry[] = Object.values(
  z.record(text, z.array(knowledgeEntry)).parse(entries),
).flat();

const phrasingsById = z.record(text, z.array(text));

/** Ways to ask for each entry: entry id → questions in standard language, dialects and with typing errors. */
export const phrasings = { ar: phrasingsById.parse(arabicPhrasings), en: phrasingsById.parse(englishPhrasings) };
