import type { IncomingHttpHeaders } from 'node:http';
import { COOKIES } from '@najwa/proto/http/client';

/** Cookie with a random value that distinguishes visitors and reveals nothing about them. */
export const VISITOR_COOKIE = COOKIES.visitor.name;

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

/** The visitor cookie, if it has the form of one that we set. */
export const readVisitorCookie = (header: string | undefined): string | undefined =>
  matching(readCookie(header, VISITOR_COOKIE), VISITOR_VALUE);

/**
 * The session token, if it has the form of one that auth hands out. Nothing else is worth a cache entry or a call.
 * @param name of the cookie
 */
export const readSessionToken = (header: string | undefined, name: string): string | undefined =>
  matching(readCookie(header, name), SESSION_TOKEN);

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
