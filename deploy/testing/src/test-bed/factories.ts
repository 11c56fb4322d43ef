import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import type { CallerIdentity } from './call.js';

/** The password of every account that the factories make. The log check looks for it. */
export const PASSWORD = 'correct horse';

/** PNG of one pixel. */
export const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const uniqueName = (): string => `u-${randomUUID().slice(0, 12)}`;

let addresses = 0;

/** An address of a network that nobody else in this process has. */
export function uniqueAddress(): string {
  addresses += 1;
  return `198.${18 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** A file of services/media/tests/samples. */
export const readSample = (name: string): Promise<Buffer> => readFile(inCheckout('services/media/tests/samples', name));

export const dataUrl = (content: Buffer, type: string): string => `data:${type};base64,${content.toString('base64')}`;

export interface Registration {
  name: string;
  username: string;
  password: string;
  confirmPassword: string;
  terms: boolean;
  bio?: string;
  email?: string;
}

/** A valid body of `POST /api/register` with a username of its own. */
export function buildRegistration(changes: Partial<Registration> = {}): Registration {
  const password = changes.password ?? PASSWORD;
  return {
    name: 'نورة',
    username: uniqueName(),
    password,
    confirmPassword: password,
    terms: true,
    ...changes,
  };
}

export interface NewMessage {
  userId: number;
  content: string;
  imageUrl?: string;
}

/** A valid body of `POST /api/messages`. */
export const buildMessage = (userId: number, changes: Partial<NewMessage> = {}): NewMessage => ({
  userId,
  content: 'رسالة',
  ...changes,
});

/** A message as its creation is answered; the fields that tests read. */
export interface SentMessage {
  id: number;
  content: string;
  imageUrl: string | null;
  createdAt: string;
  /** Missing in the answer to a repeated request. */
  wayBack?: string;
}

export interface TestAccount {
  id: number;
  username: string;
  password: string;
  /** The value of the session cookie. */
  token: string;
  /** The Cookie header of a browser that is signed in. */
  cookie: string;
}

/** An account of a test bed, where callers have an identity instead of a cookie. */
export interface BedAccount extends TestAccount {
  identity: CallerIdentity & { userId: number; sessionId: string };
}

/**
 * Reads the account and its session from the answer to a registration or a login.
 * @throws when the answer is not a success
 */
export function accountFrom(
  answer: { status: number; headers: Headers; body: unknown },
  password: string,
): TestAccount {
  const { id, username, code } = answer.body as { id: number; username: string; code?: string };
  if (answer.status >= 300) throw new Error(`Signing in failed with status ${answer.status} ${code ?? ''}.`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const token = /najwa_session=([^;]+)/.exec(cookie)?.[1] ?? '';
  return { id, username, password, token, cookie };
}

/** @throws when the answer is not 201 */
export function messageFrom({ status, body }: { status: number; body: unknown }): SentMessage {
  if (status !== 201) throw new Error(`Sending the message failed with status ${status}: ${JSON.stringify(body)}`);
  return body as SentMessage;
}
