export { noteServerTime, serverTime } from './clock.js';
export { createI18n, FAILURE_KEPT_MS, type I18n } from './create-i18n.js';
export {
  useDocumentTitle,
  useFormats,
  useLanguage,
  useLoadTexts,
  useNow,
  useTexts,
  useTimes,
  useTranslation,
} from './hooks.js';
export { LanguageProvider } from './LanguageProvider.js';
export { documentLanguage, languages, otherLanguage, type Language } from './languages.js';
export { loadTexts } from './load-texts.js';
export type { Namespace, TextKey, Translate } from './translate.js';
