import { type ReactNode, useEffect } from 'react';
import { Provider } from 'react-redux';
import { ThemeProvider } from 'styled-components';
import { ToastProvider } from '../ui/index.js';
import { type I18n, type Language, LanguageProvider } from '../i18n/index.js';
import { device } from '../lib/storage.js';
import { theme } from '../theme/index.js';
import type { Store } from '../api/store.js';

interface Props {
  store: Store;
  i18n: I18n;
  /** When the server rendered the page that is being hydrated. */
  renderedAt?: number | null;
  onHydrated?: (() => void) | undefined;
  children: ReactNode;
}

const YEAR_SECONDS = 31_536_000;

/** In a cookie as well, by which the server chooses the language. */
function storeLanguage(language: Language): void {
  device.write('language', language);
  try {
    document.cookie = `language=${language}; Path=/; Max-Age=${String(YEAR_SECONDS)}; SameSite=Lax`;
  } catch {
    // If site data is blocked, the choice ends with the visit.
  }
}

export function App({ store, i18n, renderedAt = null, onHydrated, children }: Props) {
  useEffect(() => i18n.subscribe(() => storeLanguage(i18n.current().language)), [i18n]);

  return (
    <Provider store={store}>
      <ThemeProvider theme={theme}>
        <LanguageProvider i18n={i18n} renderedAt={renderedAt} onHydrated={onHydrated}>
          <ToastProvider>{children}</ToastProvider>
        </LanguageProvider>
      </ThemeProvider>
    </Provider>
  );
}
