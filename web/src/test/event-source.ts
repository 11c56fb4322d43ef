import { act } from '@testing-library/react';

/** Streams opened by the page. jsdom has none. */
export const openStreams = new Set<StandInEventSource>();

class StandInEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readyState = StandInEventSource.OPEN;

  constructor(readonly url: string) {
    super();
    openStreams.add(this);
  }

  close(): void {
    this.readyState = StandInEventSource.CLOSED;
    openStreams.delete(this);
  }
}

export function installEventSource(): void {
  Object.assign(globalThis, { EventSource: StandInEventSource });
}

export function emit(event: string, data: unknown): void {
  act(() => {
    for (const stream of openStreams) stream.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  });
}
