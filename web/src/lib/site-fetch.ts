export interface SiteRequest extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string>;
}

/** Calls the server, and shows it that the call is our own, and that its answer is not to be kept. */
export const fetchFromSite = (address: string, { headers, ...options }: SiteRequest = {}): Promise<Response> =>
  // eslint-disable-next-line no-restricted-globals -- This is the one place.
  fetch(address, {
    credentials: 'include',
    cache: 'no-store',
    ...options,
    headers: { ...headers, 'X-Requested-With': 'XMLHttpRequest' },
  });
