import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';

/** In a smoke, a number of requests. */
export type Load = { connections: number } & ({ seconds: number } | { amount: number });

/** autocannon ends at a multiple of this. */
const SAMPLE_MS = 50;

/** Per request. A busy machine's slowness is measured too. */
const TIMEOUT_SECONDS = 60;

export interface Request {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Rotated. */
  paths?: string[];
  /** New for each request. */
  draw?: () => { headers: Record<string, string>; body: string };
}

export interface Served {
  perSecond: number;
  total: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/**
 * Closed loop.
 * @throws if any response is an error: fast refusals must not count
 */
export async function serve(
  url: string,
  { connections, ...extent }: Load,
  { method = 'GET', headers = {}, body, paths, draw }: Request = {},
): Promise<Served> {
  const { requests, latency, non2xx, errors, duration } = await autocannon({
    url,
    connections,
    timeout: TIMEOUT_SECONDS,
    ...('seconds' in extent ? { duration: extent.seconds } : { amount: extent.amount, sampleInt: SAMPLE_MS }),
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(paths && { requests: paths.map((path) => ({ path })) }),
    ...(draw && {
      requests: [
        {
          setupRequest(request) {
            const { headers: drawn, body: content } = draw();
            return { ...request, headers: { ...headers, ...drawn }, body: content };
          },
        },
      ],
    }),
  });
  if (non2xx > 0 || errors > 0)
    throw new Error(`Of ${requests.total} requests, ${non2xx} were refused and ${errors} failed.`);
  return { perSecond: requests.total / duration, total: requests.total, p50: latency.p50, p99: latency.p99 };
}

/** Open loop: a steady rate, independent of response times. autocannon's own sends the calls of a second in one burst. */
export async function atPace(perSecond: number, until: number, work: () => Promise<void>): Promise<void> {
  const calls: Promise<void>[] = [];
  const begun = performance.now();
  for (let now = begun; now < until; now = performance.now()) {
    while (calls.length <= ((now - begun) * perSecond) / 1_000) calls.push(work());
    await delay(Math.max(0, begun + (calls.length * 1_000) / perSecond - performance.now()));
  }
  await Promise.all(calls);
}

/** @returns milliseconds of each call */
export async function timesAtPace(perSecond: number, seconds: number, call: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  await atPace(perSecond, performance.now() + seconds * 1_000, async () => {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  });
  return times;
}
