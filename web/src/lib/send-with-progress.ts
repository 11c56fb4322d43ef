import type { SiteRequest } from './http.js';

const headersOf = (request: XMLHttpRequest): Headers =>
  new Headers(
    request
      .getAllResponseHeaders()
      .trim()
      .split(/\r?\n/)
      .map((line): [string, string] => {
        const [name = '', ...value] = line.split(':');
        return [name, value.join(':').trim()];
      })
      .filter(([name]) => name !== ''),
  );

const EMPTY = new Set([204, 205, 304]);

/** As `fetchFromSite`, with upload progress, which only XMLHttpRequest reports. @param onProgress receives 0 to 1 */
export const sendWithProgress = (
  address: string,
  { method = 'POST', headers = {}, body, signal }: SiteRequest,
  onProgress: (share: number) => void,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new TypeError('There was no answer.'));
    request.open(method, address);
    request.withCredentials = true;
    for (const [name, value] of Object.entries({ ...headers, 'X-Requested-With': 'XMLHttpRequest' }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    };
    request.onload = () => {
      const { status } = request;
      resolve(new Response(EMPTY.has(status) ? null : request.responseText, { status, headers: headersOf(request) }));
    };
    request.onerror = fail;
    request.onabort = fail;
    signal?.addEventListener('abort', () => request.abort());
    request.send((body ?? null) as XMLHttpRequestBodyInit | null);
  });
