import type { TrackingMode } from '@najwa/common/retention';
import { z } from 'zod';
import entries from './data/entries.json' with { type: 'json' };
import arabicPhrasings from './data/phrasings.ar.json' with { type: 'json' };
import englishPhrasings from './data/phrasings.en.json' with { type: 'json' };

const text = z.string().min(1);

/** `question` is phrased for suggestions. `coarse` and `off` replace the answer where the site tracks less. */
const wording = z
  .strictObject({ question: text, answer: text, coarse: text.optional(), off: text.optional() })
  .transform(({ question, answer, coarse = answer, off = answer }) => ({
    question,
    answers: { full: answer, coarse, off } satisfies Record<TrackingMode, string>,
  }));

/** `related`: entry ids to suggest next. */
const storedEntry = z.strictObject({ id: text, related: z.array(text), ar: wording, en: wording });

interface Wording {
  question: string;
  answer: string;
}

export interface KnowledgeEntry {
  id: string;
  related: string[];
  ar: Wording;
  en: Wording;
}

const stored = Object.values(z.record(text, z.array(storedEntry)).parse(entries)).flat();

export const knowledgeFor = (tracking: TrackingMode): readonly KnowledgeEntry[] =>
  stored.map(({ id, related, ...languages }) => {
    const wordingOf = ({ question, answers }: (typeof languages)['ar']): Wording => ({
      question,
      answer: answers[tracking],
    });
    return { id, related, ar: wordingOf(languages.ar), en: wordingOf(languages.en) };
  });

const phrasingsById = z.record(text, z.array(text));

/** By entry id: formal and dialect phrasings, and typos. */
export const phrasings = { ar: phrasingsById.parse(arabicPhrasings), en: phrasingsById.parse(englishPhrasings) };
