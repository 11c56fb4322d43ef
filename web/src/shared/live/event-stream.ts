/** Pauses before reconnecting after a refusal, in milliseconds. The last one repeats. */
const PAUSES = [5_000, 15_000, 60_000];

/** Downtime that counts as lost, in milliseconds. A gateway restart takes less. */
const LOST_AFTER = 10_000;

/** Silence that means a dead connection, in milliseconds. The server's heartbeat comes every 25 seconds. */
const SILENT_AFTER = 60_000;

export interface StreamListener {
  onEvent: (event: string, data: unknown) => void;
  onState: (state: 'open' | 'lost') => void;
}

const EVENTS = ['notification', 'message', 'count'] as const;

/** Server-sent events while the tab is visible. The browser reconnects by itself. @returns ends it */
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
      lostTimer ??= setTimeout(() => onState('lost'), LOST_AFTER);
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
