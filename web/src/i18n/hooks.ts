import { createContext, use, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createFormats, type Formats } from './format.js';
import { otherLanguage, type Language } from './languages.js';
import { lastSeen, messageTime } from './relative-time.js';

const UPDATE_INTERVAL = 30_000;

export const FormatsContext = createContext<Formats>(createFormats('ar'));

export const useFormats = () => use(FormatsContext);

export function useLanguage() {
  const { i18n } = useTranslation();
  const language = i18n.language as Language;
  return {
    language,
    toggle: () => {
      void i18n.changeLanguage(otherLanguage(language));
    },
  };
}

/** Relative times. They update while the page is open. */
export function useTimes() {
  const { t } = useTranslation();
  const formats = useFormats();
  const [now, setNow] = useState(() => Date.now());

  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, UPDATE_INTERVAL);
    return () => {
      clearInterval(timer);
    };
  }, []);

  const clock = { t, formats, now };
  return {
    message: (value: string) => messageTime(value, clock),
    lastSeen: (value: string | null) => lastSeen(value, clock),
  };
}

export function useDocumentTitle(page: string | undefined) {
  const { t } = useTranslation();
  const title = page === undefined ? t('common.brand.name') : t('common.brand.title', { page });
  useEffect(() => {
    document.title = title;
  }, [title]);
}
