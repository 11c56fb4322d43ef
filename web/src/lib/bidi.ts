/** Embeddings, overrides and isolates, and what ends them. One that is not ended, or one end too many, reaches beyond its text. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** A foreign text without what could turn around the words beside it. The letters themselves still say which way they run. */
export const withoutBidiControls = (text: string) => text.replace(CONTROLS, '');

/** A foreign text for the middle of a sentence, where there is no element to isolate it. */
export const isolate = (text: string) => `${FIRST_STRONG_ISOLATE}${withoutBidiControls(text)}${POP_ISOLATE}`;
