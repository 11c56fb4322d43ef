/** After a refusal the browser gives up. These are the pauses before another try, in milliseconds; the last one repeats. */
const PAUSES = [5_000, 15_000, 60_000];

/** A stream that is away for longer than this counts as lost. A gateway that restarts takes less. */
const LOST_AFTER = 10_000;

export interface StreamListener {
  onEvent: (event: string, data: unknown) => void;
  onState: (state: 'open' | 'lost') => void;
}

const EVENTS = ['notification', 'message', 'count'] as const;

/**
 * Follows server-sent events while the tab is visible. The browser connects again by itself when the connection breaks.
 * @returns a function that ends it
 */
export function followEventStream(url: string, { onEvent, onState }: StreamListener): () => void {
  let source: EventSource | null = null;
  let refusals = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let lostTimer: ReturnType<typeof setTimeout> | undefined;

  const close = () => {
    clearTimeout(retryTimer);
    clearTimeout(lostTimer);
    lostTimer = undefined;
    source?.close();
    source = null;
  };

  const open = () => {
    if (source !== null || document.visibilityState === 'hidden') return;
    const opened = new EventSource(url, { withCredentials: true });
    source = opened;
    opened.addEventListener('open', () => {
      refusals = 0;
      clearTimeout(lostTimer);
      lostTimer = undefined;
      onState('open');
    });
    opened.addEventListener('error', () => {
      lostTimer ??= setTimeout(() => {
        onState('lost');
      }, LOST_AFTER);
      if (opened.readyState !== EventSource.CLOSED) return;
      source = null;
      const pause = PAUSES[Math.min(refusals, PAUSES.length - 1)] ?? 0;
      refusals += 1;
      retryTimer = setTimeout(open, pause * (1 + Math.random()));
    });
    for (const name of EVENTS)
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
        onEvent(name, JSON.parse(data));
      });
  };

  const onVisibility = () => {
    if (document.visibilityState === 'hidden') close();
    else open();
  };

  document.addEventListener('visibilitychange', onVisibility);
  open();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
