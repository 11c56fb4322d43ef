/** After a refusal the browser gives up. These are the pauses before another try, in milliseconds; the last one repeats. */
const PAUSES = [5_000, 15_000, 60_000];

/** A stream that is away for longer than this counts as lost. A gateway that restarts takes less. */
const LOST_AFTER = 10_000;

/** A line on which nothing comes for that long is dead, though nobody closed it: the server's beat comes every 25 seconds. */
const SILENT_AFTER = 60_000;

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
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;

  const close = () => {
    clearTimeout(silenceTimer);
    clearTimeout(retryTimer);
    clearTimeout(lostTimer);
    lostTimer = undefined;
    source?.close();
    source = null;
  };

  const watchSilence = () => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => {
      close();
      onState('lost');
      open();
    }, SILENT_AFTER);
  };

  const open = () => {
    if (source !== null || document.visibilityState === 'hidden') return;
    const opened = new EventSource(url, { withCredentials: true });
    source = opened;
    watchSilence();
    opened.addEventListener('open', () => {
      watchSilence();
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
      clearTimeout(silenceTimer);
      source = null;
      const pause = PAUSES[Math.min(refusals, PAUSES.length - 1)] ?? 0;
      refusals += 1;
      retryTimer = setTimeout(open, pause * (1 + Math.random()));
    });
    opened.addEventListener('beat', watchSilence);
    for (const name of EVENTS)
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
        watchSilence();
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
