import { AppError } from '@najwa/common';
import type { RequestHandler } from 'express';

/** Whatever a decoder, a router or a file server might read as the end of a segment. */
const HIDDEN_SEPARATOR = /\\|%2f|%5c/i;

const HIDDEN_CONTROL = /%[01][0-9a-f]|%7f/i;

/** The first segments that mean something to the gateway or to a service; any other belongs to the web client. */
const RESERVED = new Set(['api', 'health', 'metrics']);

/** What makes a path worth a closer look: an escape, a fragment, a backslash, an empty segment or one that begins with a dot. */
const SUSPICIOUS = /[%#\\]|\/[/.]/;

function faultOfSuspicious(path: string): 'malformed' | 'ambiguous' | undefined {
  if (path.includes('#') || HIDDEN_CONTROL.test(path)) return 'malformed';
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return 'malformed';
  }
  if (path.includes('//') || HIDDEN_SEPARATOR.test(path)) return 'ambiguous';
  const segments = decoded.split('/');
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'ambiguous';
  const meant = segments[1]?.toLowerCase() ?? '';
  return RESERVED.has(meant) && firstSegment(path) !== meant ? 'ambiguous' : undefined;
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}

/**
 * What keeps a path from meaning the same to everybody who reads it: `malformed` cannot be decoded, `ambiguous` may be
 * taken apart in two ways, so that what one router lets pass, another might serve.
 */
export function faultOfPath(target: string): 'malformed' | 'ambiguous' | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  if (!path.startsWith('/')) return 'malformed';
  const first = firstSegment(path);
  if (!RESERVED.has(first) && RESERVED.has(first.toLowerCase())) return 'ambiguous';
  return SUSPICIOUS.test(path) ? faultOfSuspicious(path) : undefined;
}

/** Lets only those paths in that every router behind us reads alike. */
export function createPathGuard(): RequestHandler {
  return (request, _response, next) => {
    const fault = faultOfPath(request.url);
    if (fault === undefined) next();
    else if (fault === 'malformed') next(new AppError({ code: 'malformed', message: 'The address is malformed.' }));
    else next(new AppError({ code: 'not_found', message: 'There is nothing at this address.' }));
  };
}
