import { randomUUID } from 'node:crypto';
import type { Device } from '@najwa/common';
import { AppError } from '@najwa/common/errors';
import { type Answer, LIMITS, type ParsedBody } from '@najwa/proto/http';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { UserRecord } from '../account/user-store.js';
import type { SessionsDeps } from '../sessions/sessions.js';
import type { PasskeyRecord, PasskeyRepository } from './passkey-store.js';

export interface PasskeysDeps extends Pick<SessionsDeps, 'users' | 'logger'> {
  passkeys: PasskeyRepository;
  publicHosts: readonly string[];
}

const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

const LOGIN = 'login';
const additionBy = (userId: number): string => `add ${userId}`;

/** Passkey domain and page origin. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** @param publicHosts empty on a local machine */
export function relyingParty(publicHosts: readonly string[], host = ''): RelyingParty {
  const [first] = publicHosts;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (first === undefined)
    return { id: 'localhost', origin: name === 'localhost' ? `http://${host}` : 'http://localhost' };
  const id = publicHosts.includes(name) ? name : first;
  return { id, origin: `https://${id}` };
}

async function addChallenge({ passkeys }: PasskeysDeps, challenge: string, purpose: string): Promise<void> {
  await passkeys.addChallenge(challenge, purpose, new Date(Date.now() + CHALLENGE_LIFETIME_MS));
}

const passkeysFull = (): AppError =>
  new AppError({ code: 'passkeys_full', message: `An account has at most ${LIMITS.passkeys} passkeys.` });

async function requireRoom({ passkeys }: PasskeysDeps, userId: number): Promise<PasskeyRecord[]> {
  const own = await passkeys.list(userId);
  if (own.length >= LIMITS.passkeys) throw passkeysFull();
  return own;
}

/** @throws {AppError} `passkeys_full` */
export async function beginPasskey(
  deps: PasskeysDeps,
  { id, username, name }: UserRecord,
  { id: rpID }: RelyingParty,
): Promise<Answer<'beginPasskey'>> {
  const own = await requireRoom(deps, id);
  const options = await generateRegistrationOptions({
    rpName: 'Najwa',
    rpID,
    userName: username,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(String(id))),
    attestationType: 'none',
    excludeCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // A passkey replaces both login steps, so the device must verify the user.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await addChallenge(deps, options.challenge, additionBy(id));
  return { ...options };
}

/** @throws {AppError} `invalid_input` if the response does not match the challenge, `passkeys_full` */
export async function addPasskey(
  deps: PasskeysDeps,
  userId: number,
  response: ParsedBody<'createPasskey'>,
  { id, origin }: RelyingParty,
  device: Device,
): Promise<PasskeyRecord> {
  const { passkeys, logger } = deps;
  await requireRoom(deps, userId);
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response,
    expectedChallenge: (challenge) => passkeys.takeChallenge(challenge, additionBy(userId)),
    expectedOrigin: origin,
    expectedRPID: id,
  }).catch((error: unknown) => {
    logger.info({ reason: error instanceof Error ? error.name : '' }, 'passkey not added');
    return { registrationInfo: undefined };
  });
  const refused = new AppError({
    code: 'invalid_input',
    message: 'The answer of the authenticator does not fit the challenge.',
    fields: { response: 'not_valid' },
  });
  if (registrationInfo === undefined) throw refused;
  const { credential } = registrationInfo;
  const passkey: PasskeyRecord = {
    passkeyId: randomUUID(),
    userId,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
    device,
    createdAt: new Date(),
    lastUsedAt: null,
  };
  if (!(await passkeys.insert(passkey))) throw refused;
  // Recounts after the write, since concurrent calls may all have found room.
  if ((await passkeys.list(userId)).length > LIMITS.passkeys) {
    await passkeys.remove(userId, passkey.passkeyId);
    throw passkeysFull();
  }
  return passkey;
}

/** Lists no credentials, which would reveal who has passkeys. */
export async function beginPasskeyLogin(
  deps: PasskeysDeps,
  { id: rpID }: RelyingParty,
): Promise<Answer<'beginPasskeyLogin'>> {
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
  await addChallenge(deps, options.challenge, LOGIN);
  return { ...options, rpId: rpID };
}

/** @throws {AppError} `passkey_refused` for any reason */
export async function verifyPasskey(
  deps: PasskeysDeps,
  response: ParsedBody<'verifyPasskeyLogin'>,
  party: RelyingParty,
): Promise<UserRecord> {
  const { passkeys, users } = deps;
  const passkey = await passkeys.findByCredentialId(response.id);
  const user = passkey && (await users.findById(passkey.userId));
  const isVerified = passkey !== null && user !== null && (await isProven(deps, passkey, response, party));
  if (!isVerified) throw new AppError({ code: 'passkey_refused', message: 'This passkey does not sign in here.' });
  return user;
}

async function isProven(
  { passkeys, logger }: PasskeysDeps,
  passkey: PasskeyRecord,
  response: ParsedBody<'verifyPasskeyLogin'>,
  { id, origin }: RelyingParty,
): Promise<boolean> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response,
      expectedChallenge: (challenge) => passkeys.takeChallenge(challenge, LOGIN),
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    });
    return verified && (await passkeys.recordUse(passkey, authenticationInfo.newCounter));
  } catch (error) {
    logger.info({ reason: error instanceof Error ? error.name : '' }, 'passkey refused');
    return false;
  }
}
