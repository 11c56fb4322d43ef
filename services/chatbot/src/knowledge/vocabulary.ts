import concepts from './data/concepts.json' with { type: 'json' };
import otherProducts from './data/other-products.json' with { type: 'json' };
import stopWords from './data/stop-words.json' with { type: 'json' };

/**
 * Synonym groups, Arabic and English: concept → words. "_" joins the words of a phrase.
 * Entries are normalised and matched with Arabic prefixes and suffixes.
 */
export const CONCEPTS: Readonly<Record<string, readonly string[]>> = concepts;

/** Words that carry no meaning of their own in a question. Normalised before they are compared. */
export const STOP_WORDS: readonly string[] = stopWords;

/** Names of other sites and products, and phrases around such a name ("*") by the concept that they express. */
export const OTHER_PRODUCTS: {
  readonly products: readonly string[];
  readonly frames: Readonly<Record<string, readonly string[]>>;
} = otherProducts;

/** Concept of words that belong to other topics. A question with only such words is off topic. */
export const OFF_TOPIC = 'off_topic';

/** A question with one of these concepts can only be answered by an entry that has it too. */
export const DECISIVE: readonly string[] = ['apps', 'danger', 'social', 'two_factor'];

/** Greetings and thanks, ignored where the question has other concepts. */
export const COURTESIES: readonly string[] = ['hello', 'thanks', 'bye'];
