import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import type { CallerIdentity } from './call.js';

/** Of all accounts. The log check looks for it. */
export const PASSWORD = 'correct horse';

/** One pixel. */
export const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const uniqueName = (): string => `u-${randomUUID().slice(0, 12)}`;

let addresses = 0;

/** Of a network that is unique in this process. */
export function uniqueAddress(): string {
  addresses += 1;
  return `198.${18 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Of services/media/tests/samples. */
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

/** For `POST /api/register`, with a unique username. */
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

/** For `POST /api/messages`. */
export const buildMessage = (userId: number, changes: Partial<NewMessage> = {}): NewMessage => ({
  userId,
  content: 'رسالة',
  ...changes,
});

/** The fields that tests read. */
export interface SentMessage {
  id: number;
  content: string;
  imageUrl: string | null;
  createdAt: string;
  /** Missing for a repeated request. */
  wayBack?: string;
}

export interface TestAccount {
  id: number;
  username: string;
  password: string;
  /** Session cookie. */
  token: string;
  /** Of a signed-in browser. */
  cookie: string;
}

/** With an identity instead of a cookie. */
export interface BedAccount extends TestAccount {
  identity: CallerIdentity & { userId: number; sessionId: string };
}

/**
 * From the answer to a registration or login.
 * @throws if it failed
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

/** @throws unless 201 */
export function messageFrom({ status, body }: { status: number; body: unknown }): SentMessage {
  if (status !== 201) throw new Error(`Sending the message failed with status ${status}: ${JSON.stringify(body)}`);
  return body as SentMessage;
}
