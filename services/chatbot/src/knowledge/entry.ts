/** A question about the product and its answer. Other ways to ask it are in `data/phrasings.*.json`. */
export interface KnowledgeEntry {
  id: string;
  /** Ids of entries to suggest next. */
  related: string[];
  ar: Wording;
  en: Wording;
}

interface Wording {
  /** The question as the assistant suggests it. */
  question: string;
  answer: string;
}
