/** Bidi embeddings, overrides, isolates and their terminators. An unbalanced one affects the text after it. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** Removes bidi control characters. The letters still determine the direction. */
export const withoutBidiControls = (text: string) => text.replace(CONTROLS, '');

/** Isolates a user's text in the middle of a sentence, where no element can do it. */
export const isolate = (text: string) => `${FIRST_STRONG_ISOLATE}${withoutBidiControls(text)}${POP_ISOLATE}`;
