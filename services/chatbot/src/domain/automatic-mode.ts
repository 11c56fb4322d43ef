import type { KnowledgeEntry } from '../knowledge/entry.js';
import { languageOf, type Language } from './language.js';
import { createMatcher } from './matcher.js';

/** What answers where no language model does, from what is written down about the product. */
export interface AutomaticMode {
  /** Answers in the language of the question, or else of whoever asks, and says when it does not know. */
  answer(question: string, about: { hasPicture: boolean; language: Language }): string;
  /** What is written down about the things that a question may be about, the closest first. */
  closest(question: string): KnowledgeEntry[];
  /** The entry that answers a question; null where none does. */
  find(question: string): KnowledgeEntry | null;
}

const CLOSEST = 4;
const SUGGESTED = 3;

/** Offered to whoever asked for something else. */
const COMMON = ['what-is-najwa', 'am-i-anonymous', 'send-message'];

const PHRASES: Record<Language, { marker: string; unknown: string; picture: string; related: string }> = {
  ar: {
    marker: 'المساعد يعمل الآن في الوضع التلقائي.',
    unknown: 'لا أعرف جواب هذا السؤال. أجيب هنا عن نجوى واستعمالها؛ جرّب أن تسأل بكلمات أخرى.',
    picture: 'لا أستطيع رؤية الصور في هذا الوضع.',
    related: 'قد يهمّك أيضًا:',
  },
  en: {
    marker: 'The assistant is working in automatic mode.',
    unknown:
      "I don't know the answer to this. Here I answer questions about Najwa and how to use it; try asking in other words.",
    picture: "I can't see pictures in this mode.",
    related: 'You may also ask:',
  },
};

export function createAutomaticMode(knowledge: readonly KnowledgeEntry[]): AutomaticMode {
  const entries = new Map(knowledge.map((entry) => [entry.id, entry]));
  const matcher = createMatcher(knowledge);

  const find = (question: string): KnowledgeEntry | null => entries.get(matcher.best(question) ?? '') ?? null;

  /** What was perhaps meant instead comes before what goes with the answer. */
  const suggestedFor = (question: string, found: KnowledgeEntry | null): string[] => {
    const meantInstead = matcher.near(question).filter((id) => id !== found?.id);
    const others = found?.related ?? (meantInstead.length > 0 ? [] : COMMON);
    return [...new Set([...meantInstead, ...others])].slice(0, SUGGESTED);
  };

  return {
    find,
    closest: (question) => matcher.ranked(question, CLOSEST).flatMap((id) => entries.get(id) ?? []),
    answer(question, { hasPicture, language: otherwise }) {
      const language = languageOf(question, otherwise);
      const { marker, unknown, picture, related } = PHRASES[language];
      const found = question === '' ? null : find(question);
      const said = found ? found[language].answer : question === '' ? '' : unknown;
      const suggestions = suggestedFor(question, found).flatMap((id) => entries.get(id)?.[language].question ?? []);
      return [
        [marker, hasPicture && picture, said].filter(Boolean).join(' '),
        suggestions.length > 0 && [related, ...suggestions.map((suggestion) => `• ${suggestion}`)].join('\n'),
      ]
        .filter(Boolean)
        .join('\n\n');
    },
  };
}
