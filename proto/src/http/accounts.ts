import { z } from 'zod';
import { fields, pictureErrors, uploadedImage } from './fields.js';
import type { OperationSpec } from './operation.js';
import { prompt } from './prompts.js';
import { publicReceiving } from './receiving.js';

const lastOnline = z.string().nullable().meta({
  id: 'OptionalMinute',
  description: 'Time when the account was last seen, rounded. Null where presence is hidden.',
  format: 'date-time',
  pattern: ':00\\.000Z$',
});

/** Editable string fields, shared by auth's database and calls and the web's form. */
export const profileFields = {
  name: fields.name,
  bio: fields.bio,
  gender: fields.gender,
} satisfies Record<string, z.ZodType<string>>;

type ProfileAnswers = Partial<Record<keyof typeof profileFields, z.ZodType>>;

export type ProfileFields = { [Name in keyof typeof profileFields]: z.output<(typeof profileFields)[Name]> };

/** Stored values may be older than today's rules. */
const publicFields = { name: z.string(), bio: z.string() } satisfies ProfileAnswers;
const ownFields = { gender: fields.gender } satisfies ProfileAnswers;

const namesOf = <Fields extends object>(of: Fields) => Object.keys(of) as (keyof Fields)[];

/** Fields that anyone sees, and those that only the own account sees. */
export const profileFieldNames = { public: namesOf(publicFields), own: namesOf(ownFields) };

const publicProfile = {
  id: fields.id,
  username: fields.username,
  ...publicFields,
  avatar: fields.imageUrl,
  isAdmin: z.boolean(),
  isVerified: z.boolean(),
  isOnline: z
    .boolean()
    .describe('True if active within the last hour, by steps of a quarter of an hour. False where presence is hidden.'),
  lastOnline,
  visitorCount: fields.count,
  receiving: publicReceiving,
  prompts: z.array(prompt).optional().describe('Questions of the account. Omitted without any.'),
};

export const publicUser = z
  .strictObject(publicProfile)
  .meta({ id: 'PublicUser', description: 'Public fields of an account.' });

export const user = z
  .strictObject({
    ...publicProfile,
    isOnline: z.boolean(),
    isModerator: z.boolean(),
    email: z.string().nullable().meta({ format: 'email' }),
    ...ownFields,
    createdAt: fields.timestamp,
    deletesAt: fields.timestamp
      .nullable()
      .describe(
        'When the account is deleted, if its owner asked for that. Until then it can only be kept or exported.',
      ),
    restoredTo: fields.timestamp
      .optional()
      .describe('The site was restored from a backup of that time within the last month: settings are those of then.'),
  })
  .meta({ id: 'User', description: 'All fields of the own account.' });

const session = z
  .strictObject({
    id: z.string().meta({ format: 'uuid' }),
    device: z
      .strictObject({
        browser: z.string(),
        operatingSystem: z.string(),
        kind: z.string().meta({ examples: ['desktop', 'mobile', 'tablet'] }),
      })
      .describe('Device names from the User-Agent header. Empty if unknown.'),
    createdAt: fields.timestamp,
    lastSeen: fields.timestamp,
    isCurrent: z.boolean().describe('True for the session of this request.'),
  })
  .meta({ id: 'Session' });

/** For `refine`. */
export const arePasswordsEqual = (body: { password: string; confirmPassword: string }): boolean =>
  body.password === body.confirmPassword;

/** Runs on invalid bodies too, so that it is reported together with other faults. */
export const PASSWORDS_DIFFER = {
  path: ['confirmPassword'],
  message: 'passwords_differ',
  when: ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null,
};

const registration = z
  .strictObject({
    name: fields.name,
    username: fields.newUsername,
    password: fields.password,
    confirmPassword: z.string({ error: 'required' }).describe('Must equal the password.'),
    bio: fields.bio.default(''),
    terms: z.literal(true, { error: 'terms_required' }),
  })
  .refine(arePasswordsEqual, PASSWORDS_DIFFER)
  .meta({ id: 'Registration' });

const login = z
  .strictObject({
    username: fields.credential.transform((name) => name.trim()).meta({ description: 'Case-insensitive.' }),
    password: fields.credential,
    code: fields.credential
      .exactOptional()
      .describe('Six digits from the authenticator app, or a recovery code. Needed after `totp_required`.'),
  })
  .meta({ id: 'Login' });

/** Optional, but not undefined. */
const profileChanges = Object.fromEntries(
  Object.entries(profileFields).map(([name, field]) => [name, field.exactOptional()]),
) as { [Name in keyof typeof profileFields]: z.ZodExactOptional<(typeof profileFields)[Name]> };

const userUpdate = z
  .strictObject({
    ...profileChanges,
    avatar: z
      .union([uploadedImage, z.string().regex(/^(\/image\/[A-Za-z0-9._-]{1,100})?$/, 'unsupported_image')], {
        error: 'unsupported_image',
      })
      .nullable()
      .exactOptional()
      .describe('A new picture of at most 2 MiB, the URL of the current one to keep it, or null to remove it.'),
    email: fields.email
      .nullable()
      .exactOptional()
      .describe('Stored in lower case, not verified, not unique. Null removes it.'),
  })
  .refine((changes) => Object.keys(changes).length > 0, 'not_a_change')
  .meta({ id: 'UserUpdate', description: 'Omitted fields stay unchanged.', minProperties: 1 });

const passwordChange = z
  .strictObject({ currentPassword: fields.currentPassword, newPassword: fields.password })
  .meta({ id: 'PasswordChange' });

export const accountOperations = {
  getCurrentUser: {
    summary: 'The account of the session',
    answer: { status: 200, description: 'The own account.', body: user },
  },
  register: {
    summary: 'Create an account and sign in',
    body: registration,
    isIdempotent: true,
    mayRequireProof: true,
    answer: {
      status: 201,
      description: 'The new account, signed in.',
      body: user,
      headers: ['Set-Cookie'],
    },
    errors: {
      username_taken: 'another account has this username',
      username_reserved: 'the username is kept for the site itself',
      totp_required: 'repeats the registration of an account that has a second step by now; sign in instead',
    },
  },
  login: {
    summary: 'Sign in',
    body: login,
    mayRequireProof: true,
    answer: {
      status: 200,
      description: 'The account. Ends an earlier session of the same browser.',
      body: user,
      headers: ['Set-Cookie'],
    },
    errors: {
      wrong_credentials: 'in the same words and time whether or not the account exists',
      totp_required: 'the password is right and the account has a second step, for which `code` is missing or wrong',
    },
  },
  logout: {
    summary: 'End the session',
    answer: { status: 204, description: 'Signed out. Also succeeds without a session.', headers: ['Set-Cookie'] },
  },
  getAuthStatus: {
    summary: 'Whether a session is signed in',
    answer: {
      status: 200,
      description: 'The state of the session.',
      body: z.strictObject({ authenticated: z.boolean() }).meta({ id: 'AuthStatus' }),
    },
  },
  updateCurrentUser: {
    summary: 'Change the own profile or e-mail address',
    body: userUpdate,
    answer: { status: 200, description: 'The account after the change.', body: user },
    errors: pictureErrors('2 MiB'),
  },
  getPublicUser: {
    summary: 'A public profile by username, case-insensitive',
    params: z.object({ username: fields.username }),
    isConditional: true,
    answer: { status: 200, description: 'The public profile.', body: publicUser, headers: ['ETag'] },
    errors: { user_not_found: 'there is no such account' },
  },
  getUserById: {
    summary: 'A public profile by id, for the tracking list',
    params: z.object({ id: fields.idText }),
    answer: { status: 200, description: 'The public profile.', body: publicUser },
    errors: { user_not_found: 'there is no such account' },
  },
  changePassword: {
    summary: 'Change the own password',
    body: passwordChange,
    answer: { status: 204, description: 'The password was changed and all other sessions were ended.' },
    errors: { wrong_password: 'the current password is wrong' },
  },
  listSessions: {
    summary: 'Sessions of the own account, newest first',
    answer: { status: 200, description: 'All sessions.', body: z.array(session) },
  },
  endOtherSessions: {
    summary: 'End every other session of the own account',
    answer: { status: 204, description: 'All other sessions were ended.' },
  },
  endSession: {
    summary: 'End a session of the own account',
    params: z.object({ id: z.uuid('not_an_id').meta({ pattern: undefined }) }),
    answer: { status: 204, description: 'The session was ended.' },
    errors: { session_not_found: "there is no such session, or it is another account's" },
  },
} satisfies Record<string, OperationSpec>;
