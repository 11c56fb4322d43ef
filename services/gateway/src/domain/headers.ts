import type { IncomingHttpHeaders } from 'node:http';
import { cookieNameOf } from '@najwa/proto/http/client';

/** 128 bits in base64url. */
const VISITOR_VALUE = /^[A-Za-z0-9_-]{22}$/;

/** 256 bits in base64url. */
const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Reads one cookie of a Cookie header, the first if it is there twice. */
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

/**
 * The visitor cookie, a random value that reveals nothing, if it has the form of one that we set. One without the prefix is
 * not taken over: a neighbouring subdomain may have planted it.
 */
export const readVisitorCookie = (header: string | undefined, isSecure: boolean): string | undefined =>
  matching(readCookie(header, cookieNameOf('visitor', isSecure)), VISITOR_VALUE);

/** Until then, people stay signed in whose cookie is from before the prefix. */
export const OLD_SESSIONS_END = Date.UTC(2027, 2, 1);

/** The token of a session from before the prefix, which is to be replaced. */
export const readOldSessionToken = (
  header: string | undefined,
  isSecure: boolean,
  now = Date.now(),
): string | undefined =>
  isSecure && now < OLD_SESSIONS_END && readCookie(header, cookieNameOf('session', true)) === undefined
    ? matching(readCookie(header, cookieNameOf('session', false)), SESSION_TOKEN)
    : undefined;

/** The session token, if it has the form of one that auth hands out. Nothing else is worth a cache entry or a call. */
export const readSessionToken = (header: string | undefined, isSecure: boolean, now = Date.now()): string | undefined =>
  matching(readCookie(header, cookieNameOf('session', isSecure)), SESSION_TOKEN) ??
  readOldSessionToken(header, isSecure, now);

/** The language that a reader has chosen. The client sets the cookie; Arabic is the default. */
export const readerLanguage = (cookie: string | undefined): 'ar' | 'en' =>
  readCookie(cookie, 'language') === 'en' ? 'en' : 'ar';

/** Headers about one connection, not about the message (RFC 9110, 7.6.1), and older ones that senders use for that. */
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

/**
 * Client headers that services must not see. The identity token says who the client is; the gateway knows its address;
 * cookies stay at the gateway; node has already answered `Expect`; traces begin here.
 */
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

/** The headers of a client's request that go on to a service, without the length of the body. */
export function headersForService(headers: IncomingHttpHeaders): Headers {
  return filter(headers, (name) => BLOCKED_FOR_SERVICES.has(name) || BLOCKED_PREFIXES.test(name));
}

/** The headers of a service's answer that go on to the client. */
export function headersForClient(headers: IncomingHttpHeaders): Headers {
  return filter(headers, (name) => BLOCKED_FOR_CLIENTS.has(name));
}
