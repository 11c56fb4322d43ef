import { createContext, use, useEffect, useRef, useSyncExternalStore } from 'react';
import { clock } from './clock.js';
import type { I18n, Translations } from './create-i18n.js';
import { createFormats, type Formats } from './format.js';
import { languages, otherLanguage } from './languages.js';
import { lastSeen, messageTime, relativeTime } from './relative-time.js';
import type { Namespace } from './translate.js';

export const FormatsContext = createContext<Formats>(createFormats('ar'));
/** Time at which the server rendered the page, in milliseconds. The first render here shows the same. */
export const RenderedAtContext = createContext<number | null>(null);
export const I18nContext = createContext<I18n | null>(null);
export const TranslationsContext = createContext<Translations | null>(null);

export const useFormats = () => use(FormatsContext);

export function useTranslation(): Translations {
  const translations = use(TranslationsContext);
  if (translations === null) throw new Error('useTranslation() needs a LanguageProvider.');
  return translations;
}

function useI18n(): I18n {
  const i18n = use(I18nContext);
  if (i18n === null) throw new Error('useI18n() needs a LanguageProvider.');
  return i18n;
}

export function useLanguage() {
  const { language } = useTranslation();
  const i18n = useI18n();
  return {
    language,
    direction: languages[language].direction,
    /** Resolves once the other language shows, and rejects if its texts cannot be loaded. */
    toggle: async () => {
      await i18n.changeLanguage(otherLanguage(language));
    },
  };
}

/** Loads texts for a part that is about to be shown. */
export const useLoadTexts = () => useI18n().load;

/** With a status, so that React reads it at once. */
const LOADED = Object.assign(Promise.resolve(), { status: 'fulfilled' });

/**
 * Suspends until the texts are there. It calls `use` each time: React renders a component that was suspended by it once
 * more, and takes the hooks that follow for new ones only at that call.
 */
export function useTexts(namespaces: readonly Namespace[]): void {
  use(useI18n().load(namespaces) ?? LOADED);
}

/** The time in milliseconds. It updates while the page is open, and begins when the page was rendered. */
export function useNow(): number {
  const renderedAt = use(RenderedAtContext);
  return useSyncExternalStore(clock.subscribe, clock.now, () => renderedAt ?? clock.now());
}

/** Relative times. They update while the page is open. */
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

/** Titles of what is shown, the one that came last at the end. */
const titles: { text: string }[] = [];

/** Names the tab after a page, or after what opened on it, until that is gone. */
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
