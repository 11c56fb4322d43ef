import {
  backendConfigOf,
  backendEnvironment,
  declareLimits,
  grpcAddress,
  grpcClientEnvironment,
  hostNames,
  rateLimitEnvironment,
  readConfig,
  type Environment,
} from '@najwa/common/config';
import type { ClientRateLimiter, RateLimiter } from '@najwa/common/limits';
import { sealingKeys } from '@najwa/common/sealing';
import { ledgerEnvironment } from '@najwa/product';
import { z } from 'zod';

const LIMITS = declareLimits({
  login: ['LOGIN_LIMIT', '10/900', 'Logins to one account from one network.'],
  loginByAddress: ['LOGIN_ADDRESS_LIMIT', '100/900', 'Logins from one network.'],
  loginByNetwork: ['LOGIN_NETWORK_LIMIT', '20/900', 'Logins to one account from one site. Beyond it, a proof of work.'],
  loginByAccount: ['LOGIN_ACCOUNT_LIMIT', '50/900', 'Logins to one account. Beyond it, a proof of work.'],
  loginFromKnownDevice: [
    'LOGIN_KNOWN_DEVICE_LIMIT',
    '20/900',
    'Logins from a device that signed in to the account before, instead of the others.',
  ],
  passwordCheck: ['PASSWORD_LIMIT', '10/900', 'Checks of the password of an account that is signed in.'],
  secondStep: ['SECOND_STEP_LIMIT', '10/900', 'Codes and passkeys tried for one account.'],
  resetByNetwork: ['RESET_NETWORK_LIMIT', '10/900', 'New passwords by a recovery code, from one network.'],
  resetByAccount: ['RESET_ACCOUNT_LIMIT', '10/3600', 'New passwords by a recovery code, for one account.'],
  profileUpdate: ['PROFILE_LIMIT', '60/900', 'Changes of one account.'],
  avatarChange: ['AVATAR_LIMIT', '10/900', 'New pictures of one account.'],
  register: ['REGISTER_LIMIT', '10/3600', 'Registrations from one network.'],
});

export const shape = z
  .object({
    ...backendEnvironment('auth'),
    ...grpcClientEnvironment,
    ...ledgerEnvironment,
    ...rateLimitEnvironment,
    MEDIA_GRPC: grpcAddress,
    ACCOUNT_KEYS: sealingKeys.describe(
      '32 random bytes in base64, which seal what protects accounts. Several in a rotation.',
    ),
    STAFF_TOTP_REQUIRED: z
      .enum(['true', 'false'], 'must be true or false')
      .default('false')
      .describe(
        '`true`: administrators and moderators must have a second step at sign-in, and can only set it up until then.',
      ),
    PUBLIC_HOSTS: hostNames,
    ...LIMITS.environment,
  })
  .transform((environment) => ({
    ...backendConfigOf(environment),
    servicePrivateKey: environment.SERVICE_PRIVATE_KEY,
    ledgerUrl: environment.LEDGER_URL,
    upstreams: { media: environment.MEDIA_GRPC },
    accountKeys: environment.ACCOUNT_KEYS,
    staffTotpRequired: environment.STAFF_TOTP_REQUIRED === 'true',
    publicHosts: environment.PUBLIC_HOSTS,
    rateLimitScale: environment.RATE_LIMIT_SCALE,
    limits: LIMITS.limitsOf(environment),
  }));

export type AuthConfig = z.output<typeof shape>;
export type ClientLimit = 'loginByAddress' | 'resetByNetwork' | 'register';
export type AuthLimits = Record<Exclude<keyof AuthConfig['limits'], ClientLimit>, RateLimiter> &
  Record<ClientLimit, ClientRateLimiter>;

/** @throws {ConfigError} that names every fault */
export const loadConfig = (environment: Environment): AuthConfig => readConfig(shape, environment);
