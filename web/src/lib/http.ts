import { noteServerTime } from '../i18n/clock.js';

const ANSWER_MS = 120_000;
/** The slowest average that the gateway accepts. */
const SLOW_BYTES_PER_MS = 4;

const bytesOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : value instanceof Blob ? value.size : 0;

/** @param body a form, or a value sent as JSON */
export function sizeOf(body: unknown): number {
  const values = body instanceof FormData ? [...body.values()] : Object.values(body ?? {});
  return values.reduce<number>((sum, value) => sum + bytesOf(value), 0);
}

/** In milliseconds. Without it a dead connection blocks the call for ever. */
export const timeToSend = (body: unknown): number => ANSWER_MS + Math.round(sizeOf(body) / SLOW_BYTES_PER_MS);

export interface SiteRequest extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string>;
}

/** Marks the call as our own and its answer as not to be stored. */
export async function fetchFromSite(address: string, { headers, ...options }: SiteRequest = {}): Promise<Response> {
  // eslint-disable-next-line no-restricted-globals -- Every call goes through here.
  const response = await fetch(address, {
    credentials: 'include',
    cache: 'no-store',
    ...options,
    headers: { ...headers, 'X-Requested-With': 'XMLHttpRequest' },
  });
  noteServerTime(response.headers.get('date'));
  return response;
}

export interface Call {
  /** Below the API's base URL. */
  url: string;
  method?: string;
  /** A form, or a value sent as JSON. */
  body?: object;
  headers?: Record<string, string>;
}

interface Options {
  apiRoot?: string;
  /** Ends the call. Aborted on a dead connection. */
  ending?: AbortController;
  transport?: (address: string, request: SiteRequest) => Promise<Response>;
}

export interface Answered {
  response: Response;
  /** From JSON. Null if empty, undefined if it is no JSON, as from a captive portal. */
  data: unknown;
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function send(
  { url, body, headers, ...request }: Call,
  { apiRoot = '/api', ending = new AbortController(), transport = fetchFromSite }: Options = {},
): Promise<Answered> {
  const isForm = body === undefined || body instanceof FormData;
  const timer = setTimeout(() => ending.abort(), timeToSend(body));
  try {
    const response = await transport(apiRoot + url, {
      ...request,
      signal: ending.signal,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      headers: { ...headers, ...(!isForm && { 'Content-Type': 'application/json' }) },
    });
    return { response, data: parse(await response.text()) };
  } finally {
    clearTimeout(timer);
  }
}
