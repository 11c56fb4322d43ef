import type { LoadTexts } from './create-i18n.js';
import type { TextTree } from './translate.js';

/** In one file, since a public page needs them at once. */
const FIRST = ['common', 'player', 'publicPage'];

export const loadTexts: LoadTexts = async (language, namespace) => {
  if (FIRST.includes(namespace))
    return ((await import(`./locales/${language}/first/index.ts`)) as Record<string, TextTree>)[namespace]!;
  return ((await import(`./locales/${language}/${namespace}.json`)) as { default: TextTree }).default;
};
