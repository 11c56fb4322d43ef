import autocannon from 'autocannon';

export interface Load {
  connections: number;
  seconds: number;
}

/**
 * Requests one URL in a closed loop.
 * @returns requests per second
 * @throws if any response is an error, because fast refusals must not count
 */
export async function requestsPerSecond(url: string, { connections, seconds }: Load): Promise<number> {
  const { requests, non2xx, errors, duration } = await autocannon({ url, connections, duration: seconds });
  if (non2xx > 0 || errors > 0)
    throw new Error(`Of ${requests.total} requests, ${non2xx} were refused and ${errors} failed.`);
  return requests.total / duration;
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
