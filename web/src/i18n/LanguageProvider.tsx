import { Direction } from 'radix-ui';
import { startTransition, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { I18n } from './create-i18n.js';
import { createFormats } from './format.js';
import { FormatsContext, I18nContext, RenderedAtContext, TranslationsContext } from './hooks.js';
import { languages } from './languages.js';

interface Props {
  i18n: I18n;
  /** When the server rendered the page that is being hydrated, in milliseconds. Null without server HTML. */
  renderedAt?: number | null;
  onHydrated?: (() => void) | undefined;
  children: ReactNode;
}

/** Updates in a transition, so that parts whose code is loading keep the server's HTML. */
function useHydrated(renderedAt: number | null): boolean {
  const [hydrated, setHydrated] = useState(renderedAt === null);
  useEffect(() => {
    startTransition(() => setHydrated(true));
  }, []);
  return hydrated;
}

export function LanguageProvider({ i18n, renderedAt = null, onHydrated, children }: Props) {
  const translations = useSyncExternalStore(i18n.subscribe, i18n.current, i18n.current);
  const { language } = translations;
  const { direction } = languages[language];
  const hydrated = useHydrated(renderedAt);
  // The server does not know the reader's time zone.
  const formats = useMemo(() => createFormats(language, hydrated ? undefined : 'UTC'), [language, hydrated]);

  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = direction;
  }, [language, direction]);

  useEffect(() => {
    if (!hydrated) return;
    // From now on a failed part leaves out only itself (before-paint.js).
    delete document.documentElement.dataset['plain'];
    if (renderedAt === null) return;
    document.getElementById('root')?.removeAttribute('data-rendered');
    onHydrated?.();
  }, [hydrated, renderedAt, onHydrated]);

  return (
    <I18nContext value={i18n}>
      <RenderedAtContext value={renderedAt}>
        <TranslationsContext value={translations}>
          <Direction.Provider dir={direction}>
            <FormatsContext value={formats}>{children}</FormatsContext>
          </Direction.Provider>
        </TranslationsContext>
      </RenderedAtContext>
    </I18nContext>
  );
}
