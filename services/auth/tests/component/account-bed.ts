import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { CallerIdentity, Bed } from '@najwa/testing';
import type { Connection } from 'mongoose';

export const PASSWORD = 'correct horse';

export const uniqueName = (): string => `u-${randomUUID().slice(0, 12)}`;

/** A valid registration. */
export const registration = (changes: Record<string, unknown> = {}) => ({
  name: 'نورة العلي',
  username: uniqueName(),
  password: PASSWORD,
  confirmPassword: PASSWORD,
  bio: 'أكتب وأصوّر',
  terms: true,
  ...changes,
});

export interface SignedIn {
  id: number;
  username: string;
  token: string;
  /** For calls in this session. */
  identity: CallerIdentity & { userId: number; sessionId: string };
}

export const sessionTokenOf = (headers: Headers): string =>
  /najwa_session=([^;]+)/.exec(headers.getSetCookie()[0] ?? '')?.[1] ?? '';

/** The database of the auth service under test. */
export const connectToDatabase = (bed: Bed): Promise<Connection> => bed.openDatabase('auth');

async function signedIn(bed: Bed, answer: Awaited<ReturnType<Bed['call']>>): Promise<SignedIn> {
  const { id, username } = answer.body as { id: number; username: string };
  const token = sessionTokenOf(answer.headers);
  const { sessionId } = await bed.resolveSession(token);
  return { id, username, token, identity: { userId: id, sessionId } };
}

export async function newAccount(bed: Bed, identity: CallerIdentity = {}): Promise<SignedIn> {
  const answer = await bed.call('auth', 'POST', '/api/register', { body: registration(), identity });
  expect(answer.status).toBe(201);
  return signedIn(bed, answer);
}

export async function logIn(
  bed: Bed,
  username: string,
  {
    password = PASSWORD,
    ...options
  }: { password?: string; headers?: Record<string, string>; identity?: CallerIdentity } = {},
): Promise<SignedIn> {
  const answer = await bed.call('auth', 'POST', '/api/login', { body: { username, password }, ...options });
  expect(answer.status).toBe(200);
  return signedIn(bed, answer);
}
