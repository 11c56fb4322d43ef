import { type ComponentType, createElement, lazy, useCallback, useState } from 'react';
import { FAILURE_KEPT_MS, type Namespace, useLoadTexts } from '../i18n/index.js';

const NO_TEXTS: readonly Namespace[] = [];

const IDLE_TIMEOUT = 3000;
/** For Safari, which cannot tell when it is idle. */
const IDLE_DELAY = 300;

/** Runs a task once the browser has nothing more urgent to do. @returns a function that cancels it */
export function onIdle(task: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const id = window.requestIdleCallback(task, { timeout: IDLE_TIMEOUT });
    return () => {
      window.cancelIdleCallback(id);
    };
  }
  const id = setTimeout(task, IDLE_DELAY);
  return () => {
    clearTimeout(id);
  };
}

/**
 * A part of the page whose code and texts are loaded when they are needed. `load` may be called early, as on hover, and
 * again.
 */
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
    // Callers that need the part use load(), which reports the failure.
    load().catch(() => undefined);
  }, [load]);

  return { Part, load, preload };
}

/**
 * Like React's `lazy`, but retries a failed import at the next render.
 * Firefox, though, keeps a failed file itself, as long as the page is open.
 */
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
