import { IDENTITY_HEADER, type IdentitySigner } from '@najwa/common/identity';
import type { ServiceName } from '@najwa/dev/system/environment';
import type { OpenApiChecker } from './openapi.js';

/** Without a user id: a visitor. */
export interface CallerIdentity {
  userId?: number;
  isAdmin?: boolean;
  isModerator?: boolean;
  sessionId?: string;
  visitorId?: string;
  visitorByAddress?: true;
  ip?: string;
}

export interface CallOptions {
  identity?: CallerIdentity;
  /** As JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Not JSON. Its headers are added last. */
  init?: RequestInit;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON, else text. */
  body: unknown;
}

export interface CallTarget {
  signer: IdentitySigner;
  checker: OpenApiChecker;
  service: ServiceName;
}

/** As the gateway does. */
export function identityToken(
  signer: IdentitySigner,
  service: ServiceName,
  {
    userId,
    isAdmin = false,
    isModerator = false,
    sessionId = 'session',
    visitorId = 'visitor',
    visitorByAddress,
    ip = '192.0.2.1',
  }: CallerIdentity = {},
): Promise<string> {
  const role = { isAdmin, ...(isModerator && { isModerator }) };
  const user = userId === undefined ? null : { id: userId, ...role, sessionId };
  return signer.sign({ user, visitorId, ip, ...(visitorByAddress && { visitorByAddress }) }, service);
}

/** As the gateway does. Checks the answer against the OpenAPI document. */
export async function callService(
  { signer, checker, service }: CallTarget,
  baseUrl: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const token = await identityToken(signer, service, options.identity);
  const headers = new Headers({ [IDENTITY_HEADER]: token, ...options.headers });
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  new Headers(options.init?.headers).forEach((value, name) => headers.set(name, value));
  const response = await fetch(`${baseUrl}${path}`, {
    redirect: 'manual',
    ...options.init,
    method,
    headers,
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  const contentType = response.headers.get('content-type');
  const text = await response.text();
  const body: unknown = contentType?.startsWith('application/json') && text !== '' ? JSON.parse(text) : text;
  checker.check(method, path, { status: response.status, contentType, body });
  return { status: response.status, headers: response.headers, body };
}
