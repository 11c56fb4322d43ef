import autocannon from 'autocannon';

export interface Load {
  connections: number;
  seconds: number;
}

export interface Request {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Paths that the connections ask for in turn. */
  paths?: string[];
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
  { connections, seconds, perSecond }: Load & { perSecond?: number },
  { method = 'GET', headers = {}, body, paths }: Request = {},
): Promise<Served> {
  const { requests, latency, non2xx, errors, duration } = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(paths && { requests: paths.map((path) => ({ path })) }),
    ...(perSecond !== undefined && { overallRate: Math.max(1, Math.round(perSecond)) }),
  });
  if (non2xx > 0 || errors > 0)
    throw new Error(`Of ${requests.total} requests, ${non2xx} were refused and ${errors} failed.`);
  return { perSecond: requests.total / duration, total: requests.total, p50: latency.p50, p99: latency.p99 };
}

/**
 * @returns accepted messages per second, and the 99th percentile of their latency in milliseconds. @throws if one was
 * refused
 */
export async function sentPerSecond(
  url: string,
  body: unknown,
  { connections, seconds }: Load,
): Promise<{ perSecond: number; p99: number }> {
  const { requests, latency, non2xx, errors, duration } = await autocannon({
    url,
    connections,
    duration: seconds,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify(body),
  });
  if (non2xx > 0 || errors > 0)
    throw new Error(`Of ${requests.total} messages, ${non2xx} were refused and ${errors} failed.`);
  return { perSecond: requests.total / duration, p99: latency.p99 };
}
