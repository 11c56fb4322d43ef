import type { Language } from './languages.js';
import { createTranslate, type Namespace, type Texts, type TextTree, type Translate } from './translate.js';

/** A change of language or texts makes a new object. */
export interface Translations {
  language: Language;
  t: Translate;
}

export interface I18n {
  current: () => Translations;
  subscribe: (onChange: () => void) => () => void;
  /** Undefined if nothing is missing, so that no render waits. */
  load: (namespaces: readonly Namespace[]) => Promise<void> | undefined;
  /** Loads the same namespaces in the other language, then shows it. */
  changeLanguage: (language: Language) => Promise<void> | undefined;
}

export type LoadTexts = (language: Language, namespace: Namespace) => Promise<TextTree>;

interface Options {
  language: Language;
  texts?: Partial<Record<Language, Texts>>;
  loadTexts?: LoadTexts;
}

export const FAILURE_KEPT_MS = 1_000;

const loadNothing: LoadTexts = (language, namespace) =>
  Promise.reject(new Error(`No texts for ${language}/${namespace}.`));

/** Texts load on demand. Own code: i18next alone is a seventh of the page's script budget. */
export function createI18n({ language, texts = {}, loadTexts = loadNothing }: Options): I18n {
  const loaded: Record<Language, Texts> = { ar: { ...texts.ar }, en: { ...texts.en } };
  const flights = new Map<string, Promise<void>>();
  const listeners = new Set<() => void>();
  const view = (shown: Language): Translations => ({ language: shown, t: createTranslate(shown, loaded[shown]) });
  let current = view(language);

  const once = (key: string, load: () => Promise<void>): Promise<void> => {
    const joined = flights.get(key);
    if (joined !== undefined) return joined;
    const end = () => flights.delete(key);
    const flight = load();
    flights.set(key, flight);
    flight.then(end, () => setTimeout(end, FAILURE_KEPT_MS));
    return flight;
  };

  const fetch = (target: Language, namespace: Namespace): Promise<void> =>
    once(`${target}:${namespace}`, async () => {
      loaded[target][namespace] = await loadTexts(target, namespace);
    });

  const loadInto = (target: Language, namespaces: readonly Namespace[]): Promise<void> | undefined => {
    const missing = namespaces.filter((namespace) => loaded[target][namespace] === undefined);
    if (missing.length === 0) return undefined;
    return once(`${target}/${missing.join()}`, async () => {
      await Promise.all(missing.map((namespace) => fetch(target, namespace)));
    });
  };

  const show = (target: Language): void => {
    current = view(target);
    for (const onChange of listeners) onChange();
  };

  return {
    current: () => current,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    load: (namespaces) => loadInto(current.language, namespaces),
    changeLanguage(target) {
      const loading = loadInto(target, Object.keys(loaded[current.language]) as Namespace[]);
      if (loading !== undefined) return loading.then(() => show(target));
      show(target);
      return undefined;
    },
  };
}
