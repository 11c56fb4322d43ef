import type { IncomingHttpHeaders } from 'node:http';
import { coarseUserAgent } from '@najwa/common';
import type { TrackingMode } from '@najwa/common/retention';
import { cookieNameOf } from '@najwa/proto/http/client';

const VISITOR_VALUE = /^[A-Za-z0-9_-]{22}$/;

const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const prefix = `${name}=`;
  for (let start = 0; start < header.length;) {
    while (header[start] === ' ') start += 1;
    const semicolon = header.indexOf(';', start);
    const end = semicolon === -1 ? header.length : semicolon;
    if (header.startsWith(prefix, start)) return header.slice(start + prefix.length, end).trimEnd();
    start = end + 1;
  }
  return undefined;
}

const matching = (value: string | undefined, pattern: RegExp): string | undefined =>
  value !== undefined && pattern.test(value) ? value : undefined;

/** Ignores a cookie without the prefix: a neighbouring subdomain may have set it. */
export const readVisitorCookie = (header: string | undefined, isSecure: boolean): string | undefined =>
  matching(readCookie(header, cookieNameOf('visitor', isSecure)), VISITOR_VALUE);

/** Until then, sessions from before the prefix remain valid. */
export const OLD_SESSIONS_END = Date.UTC(2027, 2, 1);

export const readOldSessionToken = (
  header: string | undefined,
  isSecure: boolean,
  now = Date.now(),
): string | undefined =>
  isSecure && now < OLD_SESSIONS_END && readCookie(header, cookieNameOf('session', true)) === undefined
    ? matching(readCookie(header, cookieNameOf('session', false)), SESSION_TOKEN)
    : undefined;

/** Anything else deserves neither a cache entry nor a call. */
export const readSessionToken = (header: string | undefined, isSecure: boolean, now = Date.now()): string | undefined =>
  matching(readCookie(header, cookieNameOf('session', isSecure)), SESSION_TOKEN) ??
  readOldSessionToken(header, isSecure, now);

export const readerLanguage = (cookie: string | undefined): 'ar' | 'en' =>
  readCookie(cookie, 'language') === 'en' ? 'en' : 'ar';

/** RFC 9110, 7.6.1, and older ones. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The identity token and the gateway's own headers replace these; node has answered `Expect`; traces begin here. */
const BLOCKED_FOR_SERVICES = new Set([
  ...HOP_BY_HOP,
  'host',
  'cookie',
  'expect',
  'forwarded',
  'via',
  'x-real-ip',
  'x-request-id',
  'traceparent',
  'tracestate',
  'baggage',
  'content-length',
]);
const BLOCKED_PREFIXES = /^x-(?:forwarded|najwa)-/;

const BLOCKED_FOR_CLIENTS = new Set([...HOP_BY_HOP, 'x-request-id']);

type Headers = Record<string, string | string[]>;

function filter(headers: IncomingHttpHeaders, isBlocked: (name: string) => boolean): Headers {
  const named = headers.connection
    ?.toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const passed: Headers = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !isBlocked(name) && !named?.includes(name)) passed[name] = value;
  }
  return passed;
}

export function headersForService(headers: IncomingHttpHeaders, tracking: TrackingMode): Headers {
  const passed = filter(headers, (name) => BLOCKED_FOR_SERVICES.has(name) || BLOCKED_PREFIXES.test(name));
  if (tracking === 'full') return passed;
  delete passed['referer'];
  delete passed['user-agent'];
  const kind = tracking === 'coarse' ? coarseUserAgent(headers['user-agent']) : '';
  return kind === '' ? passed : { ...passed, 'user-agent': kind };
}

export function headersForClient(headers: IncomingHttpHeaders): Headers {
  return filter(headers, (name) => BLOCKED_FOR_CLIENTS.has(name));
}
