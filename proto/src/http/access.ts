import { z } from 'zod';
import { arePasswordsEqual, PASSWORDS_DIFFER, user } from './accounts.js';
import { fields } from './fields.js';
import type { OperationSpec } from './operation.js';

const passwordConfirmation = z.strictObject({ password: fields.currentPassword }).meta({ id: 'PasswordConfirmation' });

const recoveryCodes = z
  .strictObject({
    codes: z
      .array(z.string().meta({ examples: ['h4kq-7mxw'] }))
      .length(10)
      .describe('Each one resets the password once. They are in no other answer.'),
  })
  .meta({ id: 'RecoveryCodes' });

const passwordReset = z
  .strictObject({
    username: fields.credential.transform((name) => name.trim()).meta({ description: 'Case-insensitive.' }),
    code: fields.credential.meta({
      description: 'A recovery code. Case, spaces and hyphens are ignored, and digits may be Arabic or Persian.',
    }),
    password: fields.password,
    confirmPassword: z.string({ error: 'required' }).describe('Must equal the password.'),
  })
  .refine(arePasswordsEqual, PASSWORDS_DIFFER)
  .meta({ id: 'PasswordReset' });

const secondStep = z
  .strictObject({
    code: fields.credential.meta({
      description:
        'Six digits from the authenticator app, or a recovery code. Each works once. Digits may be Arabic or Persian.',
    }),
  })
  .meta({ id: 'SecondStep' });

const device = z
  .strictObject({ browser: z.string(), operatingSystem: z.string(), kind: z.string() })
  .describe('Device names from the User-Agent header. Empty if unknown.');

const passkey = z
  .strictObject({
    id: z.string().meta({ format: 'uuid' }),
    device,
    createdAt: fields.timestamp,
    lastUsedAt: fields.timestamp.nullable(),
  })
  .meta({ id: 'Passkey' });

const base64url = (max: number) =>
  z
    .string({ error: 'required' })
    .max(max, 'too_long')
    .regex(/^[\w-]+$/, 'not_valid')
    .meta({ pattern: '^[A-Za-z0-9_-]+$' });

/** https://www.w3.org/TR/webauthn-3/#dictdef-publickeycredentialjson */
const credentialResponse = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key', { error: 'not_a_choice' }),
  authenticatorAttachment: z.enum(['platform', 'cross-platform'], { error: 'not_a_choice' }).exactOptional(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

const registrationResponse = z
  .object({
    ...credentialResponse,
    response: z.object({
      clientDataJSON: base64url(4000),
      attestationObject: base64url(20_000),
      authenticatorData: base64url(8000).exactOptional(),
      transports: z.array(z.string().max(40, 'too_long')).max(10, 'too_long').exactOptional(),
      publicKeyAlgorithm: z.number().exactOptional(),
      publicKey: base64url(8000).exactOptional(),
    }),
  })
  .meta({ id: 'RegistrationResponseJSON' });

const authenticationResponse = z
  .object({
    ...credentialResponse,
    response: z.object({
      clientDataJSON: base64url(4000),
      authenticatorData: base64url(8000),
      signature: base64url(8000),
      userHandle: base64url(200).exactOptional(),
    }),
  })
  .meta({ id: 'AuthenticationResponseJSON' });

const optionsOf = (id: string, fieldsOf: Record<string, z.ZodType>) =>
  z
    .looseObject({ challenge: z.string(), ...fieldsOf })
    .meta({ id, description: 'For the browser, as WebAuthn names it.' });

export const accessOperations = {
  requestDeletion: {
    summary: 'Close the own account, and delete it after a week',
    description:
      'Its page and its messages are hidden at once, and nothing arrives. Until the end of the week the account can sign in, to be kept or exported. A repeated call changes nothing.',
    body: passwordConfirmation,
    answer: {
      status: 202,
      description: 'The account is closed.',
      body: z.strictObject({ deletesAt: fields.timestamp }).meta({ id: 'AccountDeletion' }),
    },
    errors: {
      wrong_password: 'the password is wrong',
      last_administrator: 'the site would have no administrator any more',
    },
  },
  keepAccount: {
    summary: 'Open the own account again',
    answer: { status: 204, description: 'The account is as it was. Also succeeds if it was not closed.' },
  },
  getRecoveryCodes: {
    summary: 'How many recovery codes of the own account were not used',
    answer: {
      status: 200,
      description: 'Their number. The codes themselves cannot be read again.',
      body: z.strictObject({ left: fields.count }).meta({ id: 'RecoveryCodesLeft' }),
    },
  },
  createRecoveryCodes: {
    summary: 'Make ten recovery codes, which end the earlier ones',
    body: passwordConfirmation,
    answer: { status: 201, description: 'The codes, shown this once.', body: recoveryCodes },
    errors: { wrong_password: 'the password is wrong' },
  },
  resetPassword: {
    summary: 'Set a new password with a recovery code',
    body: passwordReset,
    mayRequireProof: true,
    answer: { status: 204, description: 'The password was changed, the code is used, and every session has ended.' },
    errors: { wrong_recovery_code: 'in the same words and time whether or not the account exists' },
  },
  getTotp: {
    summary: 'Whether the own account has a second step at sign-in',
    answer: {
      status: 200,
      description: 'Its state.',
      body: z
        .strictObject({
          isOn: z.boolean(),
          isRequired: z.boolean().describe('True for administrators where the site requires it.'),
        })
        .meta({ id: 'TotpState' }),
    },
  },
  beginTotp: {
    summary: 'Make a secret for an authenticator app',
    description: 'Nothing changes until a code of it is confirmed.',
    body: passwordConfirmation,
    answer: {
      status: 200,
      description: 'The secret, shown this once.',
      body: z
        .strictObject({ secret: z.string().describe('Base32.'), uri: z.string().describe('For the QR code.') })
        .meta({ id: 'TotpSecret' }),
    },
    errors: { wrong_password: 'the password is wrong', totp_is_on: 'remove the present one first' },
  },
  confirmTotp: {
    summary: 'Turn the second step on with a first code',
    body: secondStep,
    answer: { status: 204, description: 'Every login needs a code from now on.' },
    errors: { wrong_code: 'the code is wrong, or there is no secret to confirm' },
  },
  removeTotp: {
    summary: 'Turn the second step off',
    body: secondStep,
    answer: { status: 204, description: 'It is off.' },
    errors: { wrong_code: 'the code is wrong or was used, or the second step is not on' },
  },
  listPasskeys: {
    summary: 'Passkeys of the own account, oldest first',
    answer: { status: 200, description: 'All of them.', body: z.array(passkey) },
  },
  beginPasskey: {
    summary: 'Begin to add a passkey',
    answer: {
      status: 200,
      description: 'What the browser needs, good for five minutes.',
      body: optionsOf('PublicKeyCredentialCreationOptionsJSON', {
        rp: z.looseObject({ name: z.string() }),
        user: z.looseObject({ id: z.string(), name: z.string(), displayName: z.string() }),
        pubKeyCredParams: z.array(z.looseObject({ alg: z.number(), type: z.literal('public-key') })),
      }),
    },
    errors: { passkeys_full: 'the account has twenty' },
  },
  createPasskey: {
    summary: 'Add a passkey',
    body: registrationResponse,
    answer: { status: 201, description: 'The passkey.', body: passkey },
    errors: { passkeys_full: 'the account has twenty' },
  },
  deletePasskey: {
    summary: 'Remove a passkey of the own account',
    params: z.object({ id: z.uuid('not_an_id').meta({ pattern: undefined }) }),
    answer: { status: 204, description: 'It does not sign in any more.' },
    errors: { not_found: "there is no such passkey, or it is another account's" },
  },
  beginPasskeyLogin: {
    summary: 'Begin to sign in with a passkey',
    answer: {
      status: 200,
      description: 'What the browser needs, good for five minutes. The same for everybody.',
      body: optionsOf('PublicKeyCredentialRequestOptionsJSON', { rpId: z.string() }),
    },
  },
  verifyPasskeyLogin: {
    summary: 'Sign in with a passkey',
    body: authenticationResponse,
    answer: {
      status: 200,
      description: 'The account. Ends an earlier session of the same browser.',
      body: user,
      headers: ['Set-Cookie'],
    },
    errors: { passkey_refused: 'the passkey is unknown or removed, or the answer does not fit the challenge' },
  },
} satisfies Record<string, OperationSpec>;
