/** One thing that people ask about the product, and its answer. */
export interface KnowledgeEntry {
  id: string;
  /** Ids of what to ask next. */
  related: string[];
  ar: Wording;
  en: Wording;
}

export interface Wording {
  /** The question as it is suggested. */
  question: string;
  /** How else people ask it. */
  also: string[];
  answer: string;
}
