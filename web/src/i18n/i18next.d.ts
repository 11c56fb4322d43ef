import 'i18next';
import type { ar } from './locales/ar/index.js';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof ar };
    returnNull: false;
  }
}
