import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { ThemeProvider } from 'styled-components';
import { ToastProvider } from '../components/index.js';
import { type I18n, LanguageProvider } from '../i18n/index.js';
import { theme } from '../theme/index.js';
import type { Store } from './store.js';

interface Props {
  store: Store;
  i18n: I18n;
  /** When the server rendered the page that is hydrated now. */
  renderedAt?: number | null;
  /** Called once that is done. */
  onHydrated?: (() => void) | undefined;
  children: ReactNode;
}

/** The providers around every page. */
export function App({ store, i18n, renderedAt = null, onHydrated, children }: Props) {
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
