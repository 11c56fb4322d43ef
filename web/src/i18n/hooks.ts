import { createContext, use, useEffect, useRef, useSyncExternalStore } from 'react';
import { clock } from './clock.js';
import type { I18n, Translations } from './create-i18n.js';
import { createFormats, type Formats } from './format.js';
import { languages, otherLanguage } from './languages.js';
import { lastSeen, messageTime, relativeTime } from './relative-time.js';
import type { Namespace } from './translate.js';

export const FormatsContext = createContext<Formats>(createFormats('ar'));
/** When the server rendered the page, in milliseconds. The first render shows the same. */
export const RenderedAtContext = createContext<number | null>(null);
export const I18nContext = createContext<I18n | null>(null);
export const TranslationsContext = createContext<Translations | null>(null);

export const useFormats = () => use(FormatsContext);

export function useTranslation(): Translations {
  const translations = use(TranslationsContext);
  if (translations === null) throw new Error('No provider.');
  return translations;
}

function useI18n(): I18n {
  const i18n = use(I18nContext);
  if (i18n === null) throw new Error('No provider.');
  return i18n;
}

export function useLanguage() {
  const { language } = useTranslation();
  const i18n = useI18n();
  return {
    language,
    direction: languages[language].direction,
    toggle: async () => {
      await i18n.changeLanguage(otherLanguage(language));
    },
  };
}

export const useLoadTexts = () => useI18n().load;

/** With a status, so that React reads it synchronously. */
const LOADED = Object.assign(Promise.resolve(), { status: 'fulfilled' });

/** Always calls `use`: when React re-renders a suspended component, it treats the hooks after a missing call as new. */
export function useTexts(namespaces: readonly Namespace[]): void {
  use(useI18n().load(namespaces) ?? LOADED);
}

/** Updates while the page is open, starting at the time of rendering. */
export function useNow(): number {
  const renderedAt = use(RenderedAtContext);
  return useSyncExternalStore(clock.subscribe, clock.now, () => renderedAt ?? clock.now());
}

export function useTimes() {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();

  const moment = { t, formats, now };
  return {
    relative: (value: string) => relativeTime(value, moment),
    message: (value: string) => messageTime(value, moment),
    lastSeen: (value: string | null) => lastSeen(value, moment),
  };
}

const titles: { text: string }[] = [];

export function useDocumentTitle(page: string | undefined) {
  const { t } = useTranslation();
  const text = page === undefined ? t('common.brand.name') : t('common.brand.title', { page });
  const title = useRef({ text });
  useEffect(() => {
    const { current } = title;
    titles.push(current);
    return () => {
      titles.splice(titles.indexOf(current), 1);
      const last = titles.at(-1);
      if (last !== undefined) document.title = last.text;
    };
  }, []);
  useEffect(() => {
    title.current.text = text;
    document.title = titles.at(-1)?.text ?? text;
  }, [text]);
}
