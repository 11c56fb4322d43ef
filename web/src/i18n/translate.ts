import { onFirstUse } from './format.js';
import { languages, type Language } from './languages.js';
import type * as ar from './locales/ar/index.js';

export type Namespace = keyof typeof ar;

export interface TextTree {
  [key: string]: string | TextTree;
}

export type Texts = Partial<Record<Namespace, TextTree>>;

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type WithoutForm<Key extends string> = Key extends `${infer Stem}_${PluralForm}` ? Stem : Key;
type KeysOf<Tree, Path extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Path}${WithoutForm<Key>}`
    : KeysOf<Tree[Key], `${Path}${Key}.`>;
}[keyof Tree & string];

export type TextKey = KeysOf<typeof ar>;

/** For placeholders. `count` also selects the plural. */
export type TextValues = Record<string, string | number>;

export type Translate = (key: TextKey, values?: TextValues) => string;

/** `{{name}}`, or `{{name, digits}}` for a number that is grouped. */
const PLACEHOLDER = /{{(\w+)(?:, (\w+))?}}/g;

const createRules = (language: Language) => {
  const { locale } = languages[language];
  return {
    plurals: new Intl.PluralRules(locale),
    digits: new Intl.NumberFormat(locale),
    // Years and ids have no digit grouping.
    ungrouped: new Intl.NumberFormat(locale, { useGrouping: false }),
  };
};

/** Once, not per file of texts. */
const RULES = { ar: onFirstUse(() => createRules('ar')), en: onFirstUse(() => createRules('en')) };

/** If a namespace is not loaded, the key appears. */
export function createTranslate(language: Language, texts: Texts): Translate {
  const rules = RULES[language];
  const find = (path: string): string | undefined => {
    let found: string | Texts | TextTree | undefined = texts;
    for (const part of path.split('.')) found = typeof found === 'object' ? (found as TextTree)[part] : undefined;
    return typeof found === 'string' ? found : undefined;
  };
  const write = (value: string | number | undefined, format: string | undefined): string => {
    if (typeof value !== 'number') return String(value);
    return rules()[format === 'digits' ? 'digits' : 'ungrouped'].format(value);
  };

  return (key, values = {}) => {
    const { count } = values;
    const plural = typeof count === 'number' ? find(`${key}_${rules().plurals.select(count)}`) : undefined;
    const text = plural ?? find(key) ?? key;
    return text.replace(PLACEHOLDER, (_, name: string, format?: string) => write(values[name], format));
  };
}
