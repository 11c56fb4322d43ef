import concepts from './data/concepts.json' with { type: 'json' };
import otherProducts from './data/other-products.json' with { type: 'json' };
import stopWords from './data/stop-words.json' with { type: 'json' };

/** Synonym groups by concept. "_" joins words of a phrase. Entries are normalised and matched with affixes. */
export const CONCEPTS: Readonly<Record<string, readonly string[]>> = concepts;

/** Normalised before comparison. */
export const STOP_WORDS: readonly string[] = stopWords;

/** Other products, and phrases around a name ("*") by concept. */
export const OTHER_PRODUCTS: {
  readonly products: readonly string[];
  readonly frames: Readonly<Record<string, readonly string[]>>;
} = otherProducts;

/** A question with only such words is off topic. */
export const OFF_TOPIC = 'off_topic';

/** An answer must share these concepts with the question. */
export const DECISIVE: readonly string[] = ['apps', 'danger', 'social', 'two_factor'];

/** Ignored if the question has other concepts. */
export const COURTESIES: readonly string[] = ['hello', 'thanks', 'bye'];
