import type { i18n } from 'i18next';
import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { ThemeProvider } from 'styled-components';
import { ToastProvider } from '../components/index.js';
import { LanguageProvider } from '../i18n/index.js';
import { GlobalStyle, theme } from '../theme/index.js';
import type { Store } from './store.js';

const TOOLTIP_DELAY = 700;
const TOOLTIP_SKIP_DELAY = 300;

interface Props {
  store: Store;
  i18n: i18n;
  storage: () => Storage;
  children: ReactNode;
}

/** The providers around every page. */
export function App({ store, i18n, storage, children }: Props) {
  return (
    <Provider store={store}>
      <ThemeProvider theme={theme}>
        <GlobalStyle />
        <LanguageProvider i18n={i18n} storage={storage}>
          <Tooltip.Provider delayDuration={TOOLTIP_DELAY} skipDelayDuration={TOOLTIP_SKIP_DELAY}>
            <ToastProvider>{children}</ToastProvider>
          </Tooltip.Provider>
        </LanguageProvider>
      </ThemeProvider>
    </Provider>
  );
}
