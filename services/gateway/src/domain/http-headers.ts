import type { IncomingHttpHeaders } from 'node:http';

/** About one connection and not about the message (RFC 9110, 7.6.1), with what older senders use for that. */
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
 * What a client says and no service is to hear: who it is, which the identity token says; where it comes from, which the
 * gateway knows better; its cookies, which stay at the gateway; and `Expect`, which node has answered already.
 */
const KEPT_FROM_SERVICES = new Set([
  ...HOP_BY_HOP,
  'host',
  'cookie',
  'expect',
  'forwarded',
  'via',
  'x-real-ip',
  'x-request-id',
  'content-length',
]);
const KEPT_PREFIXES = ['x-forwarded-', 'x-najwa-'];

const KEPT_FROM_CLIENTS = new Set([...HOP_BY_HOP, 'x-request-id']);

type Headers = Record<string, string | string[]>;

function filter(headers: IncomingHttpHeaders, isKept: (name: string) => boolean): Headers {
  const named = headers.connection
    ?.toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const passed: Headers = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !isKept(name) && !named?.includes(name)) passed[name] = value;
  }
  return passed;
}

/** The headers of a client's request that go on to a service. The length of a body is not among them. */
export function headersForService(headers: IncomingHttpHeaders): Headers {
  return filter(
    headers,
    (name) => KEPT_FROM_SERVICES.has(name) || KEPT_PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
}

/** The headers of a service's answer that go on to the client. */
export function headersForClient(headers: IncomingHttpHeaders): Headers {
  return filter(headers, (name) => KEPT_FROM_CLIENTS.has(name));
}
