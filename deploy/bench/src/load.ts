import autocannon from 'autocannon';

/** For a time, or, in a smoke, until so many requests are answered. */
export type Load = { connections: number } & ({ seconds: number } | { amount: number });

/** autocannon ends at a multiple of this. */
const SAMPLE_MS = 50;

/** Of a request. A busy machine is slow, and that is measured. */
const TIMEOUT_SECONDS = 60;

export interface Request {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Paths that the connections ask for in turn. */
  paths?: string[];
  /** Headers and body of each request, drawn anew. */
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
 * Requests one URL in a closed loop, or at a fixed rate if `perSecond` is given.
 * @throws if any response is an error, because fast refusals must not count
 */
export async function serve(
  url: string,
  { connections, perSecond, ...extent }: Load & { perSecond?: number },
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
    ...(perSecond !== undefined && { overallRate: Math.max(1, Math.round(perSecond)) }),
  });
  if (non2xx > 0 || errors > 0)
    throw new Error(`Of ${requests.total} requests, ${non2xx} were refused and ${errors} failed.`);
  return { perSecond: requests.total / duration, total: requests.total, p50: latency.p50, p99: latency.p99 };
}
