export { createI18n } from './create-i18n.js';
export { useDocumentTitle, useFormats, useLanguage, useTimes } from './hooks.js';
export { LanguageProvider } from './LanguageProvider.js';
export { otherLanguage, readLanguage, type Language } from './languages.js';
