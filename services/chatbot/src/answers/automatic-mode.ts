import type { KnowledgeEntry } from '../knowledge/index.js';
import { languageOf, type Language } from './language.js';
import { bestOf, createMatcher, plausibleOf } from './matcher.js';

/** Answers from the knowledge base, without a language model. */
export interface AutomaticMode {
  /**
   * Replies in the question's language, or `fallback` if it has no letters. Admits unknown questions and suggests
   * others.
   */
  answer(question: string, about: { hasPicture: boolean; fallback: Language }): string;
  /** Best first, without a threshold. */
  closest(question: string): KnowledgeEntry[];
  /** Null if none is good enough. */
  find(question: string): KnowledgeEntry | null;
}

const MAX_CLOSEST = 4;
const MAX_SUGGESTIONS = 3;

/** If nothing matches. */
const DEFAULT_SUGGESTIONS = ['what-is-najwa', 'am-i-anonymous', 'send-message'];

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
  const entryOf = (id: string | undefined): KnowledgeEntry | null => entries.get(id ?? '') ?? null;

  /** Other likely entries first, then related ones. */
  const suggestionsFor = (plausible: string[], found: KnowledgeEntry | null): string[] => {
    const alternatives = plausible.filter((id) => id !== found?.id);
    const others = found?.related ?? (alternatives.length > 0 ? [] : DEFAULT_SUGGESTIONS);
    return [...new Set([...alternatives, ...others])].slice(0, MAX_SUGGESTIONS);
  };

  return {
    find: (question) => entryOf(bestOf(matcher.rank(question))?.entryId),
    closest: (question) =>
      matcher
        .rank(question)
        .slice(0, MAX_CLOSEST)
        .flatMap(({ entryId }) => entryOf(entryId) ?? []),
    answer(question, { hasPicture, fallback }) {
      const language = languageOf(question, fallback);
      const { marker, unknown, picture, related } = PHRASES[language];
      const matches = question === '' ? [] : matcher.rank(question);
      const found = entryOf(bestOf(matches)?.entryId);
      const plausible = plausibleOf(matches).map(({ entryId }) => entryId);
      const reply = found ? found[language].answer : question === '' ? '' : unknown;
      const suggestions = suggestionsFor(plausible, found).flatMap((id) => entryOf(id)?.[language].question ?? []);
      return [
        [marker, hasPicture && picture, reply].filter(Boolean).join(' '),
        suggestions.length > 0 && [related, ...suggestions.map((suggestion) => `• ${suggestion}`)].join('\n'),
      ]
        .filter(Boolean)
        .join('\n\n');
    },
  };
}
