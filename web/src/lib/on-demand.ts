import { type ComponentType, createElement, lazy, useCallback, useState } from 'react';
import { FAILURE_KEPT_MS, type Namespace, useLoadTexts } from '../i18n/index.js';

const NO_TEXTS: readonly Namespace[] = [];

const IDLE_TIMEOUT = 3000;
/** Safari has no requestIdleCallback. */
const IDLE_DELAY = 300;

/** When the browser is idle. @returns cancels it */
export function onIdle(task: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const id = window.requestIdleCallback(task, { timeout: IDLE_TIMEOUT });
    return () => window.cancelIdleCallback(id);
  }
  const id = setTimeout(task, IDLE_DELAY);
  return () => clearTimeout(id);
}

/** Code and texts loaded on demand. `load` may be called early, as on hover, and again. */
export function useOnDemand<Props>(
  importPart: () => Promise<ComponentType<Props>>,
  namespaces: readonly Namespace[] = NO_TEXTS,
) {
  const loadTexts = useLoadTexts();
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);

  const load = useCallback(async () => {
    const [loaded] = await Promise.all([importPart(), loadTexts(namespaces)]);
    setPart(() => loaded);
    return loaded;
  }, [importPart, loadTexts, namespaces]);

  const preload = useCallback(() => {
    // Callers of load() report failures.
    load().catch(() => undefined);
  }, [load]);

  return { Part, load, preload };
}

/** `lazy` that retries a failed import at the next render. Firefox keeps a failed module until the page is reloaded. */
export function lazyPart<Props extends object>(importPart: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const create = () =>
    lazy(async () => {
      try {
        return { default: await importPart() };
      } catch (error) {
        setTimeout(() => {
          Lazy = create();
        }, FAILURE_KEPT_MS);
        throw error;
      }
    });
  let Lazy = create();
  return (props) => createElement(Lazy as ComponentType<Props>, props);
}
