import {
  amqpEnvironment,
  baseConfigOf,
  baseEnvironment,
  brokerConfigOf,
  grpcAddress,
  grpcClientEnvironment,
  grpcServerEnvironment,
  hostNames,
  identityEnvironment,
  mongoEnvironment,
  rateLimit,
  rateLimitEnvironment,
  readConfig,
  type Environment,
} from '@najwa/common/config';
import { sealingKeys } from '@najwa/common/sealing';
import { ledgerEnvironment } from '@najwa/product';
import { z } from 'zod';

export const shape = z
  .object({
    ...baseEnvironment,
    ...grpcClientEnvironment,
    ...grpcServerEnvironment,
    ...identityEnvironment,
    ...amqpEnvironment,
    ...mongoEnvironment('auth'),
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
    LOGIN_LIMIT: rateLimit('login', '10/900', 'Logins to one account from one network.'),
    LOGIN_ADDRESS_LIMIT: rateLimit('login-address', '100/900', 'Logins from one network.'),
    LOGIN_NETWORK_LIMIT: rateLimit(
      'login-network',
      '20/900',
      'Logins to one account from one site. Beyond it, a proof of work.',
    ),
    LOGIN_ACCOUNT_LIMIT: rateLimit('login-account', '50/900', 'Logins to one account. Beyond it, a proof of work.'),
    LOGIN_KNOWN_DEVICE_LIMIT: rateLimit(
      'login-known-device',
      '20/900',
      'Logins from a device that signed in to the account before, instead of the others.',
    ),
    PASSWORD_LIMIT: rateLimit('password', '10/900', 'Checks of the password of an account that is signed in.'),
    SECOND_STEP_LIMIT: rateLimit('second-step', '10/900', 'Codes and passkeys tried for one account.'),
    RESET_NETWORK_LIMIT: rateLimit('reset-network', '10/900', 'New passwords by a recovery code, from one network.'),
    RESET_ACCOUNT_LIMIT: rateLimit('reset-account', '10/3600', 'New passwords by a recovery code, for one account.'),
    PROFILE_LIMIT: rateLimit('profile', '60/900', 'Changes of one account.'),
    AVATAR_LIMIT: rateLimit('avatar', '10/900', 'New pictures of one account.'),
    REGISTER_LIMIT: rateLimit('register', '10/3600', 'Registrations from one network.'),
  })
  .transform((environment) => ({
    ...baseConfigOf(environment),
    grpcPort: environment.GRPC_PORT,
    servicePublicKeys: environment.SERVICE_PUBLIC_KEYS,
    servicePrivateKey: environment.SERVICE_PRIVATE_KEY,
    identityPublicKey: environment.IDENTITY_PUBLIC_KEY,
    amqp: brokerConfigOf(environment),
    mongo: { url: environment.MONGO_URL, database: environment.MONGO_DATABASE },
    ledgerUrl: environment.LEDGER_URL,
    upstreams: { media: environment.MEDIA_GRPC },
    accountKeys: environment.ACCOUNT_KEYS,
    staffTotpRequired: environment.STAFF_TOTP_REQUIRED === 'true',
    publicHosts: environment.PUBLIC_HOSTS,
    rateLimitScale: environment.RATE_LIMIT_SCALE,
    limits: {
      login: environment.LOGIN_LIMIT,
      loginByAddress: environment.LOGIN_ADDRESS_LIMIT,
      loginByNetwork: environment.LOGIN_NETWORK_LIMIT,
      loginByAccount: environment.LOGIN_ACCOUNT_LIMIT,
      loginFromKnownDevice: environment.LOGIN_KNOWN_DEVICE_LIMIT,
      passwordCheck: environment.PASSWORD_LIMIT,
      secondStep: environment.SECOND_STEP_LIMIT,
      resetByNetwork: environment.RESET_NETWORK_LIMIT,
      resetByAccount: environment.RESET_ACCOUNT_LIMIT,
      profileUpdate: environment.PROFILE_LIMIT,
      avatarChange: environment.AVATAR_LIMIT,
      register: environment.REGISTER_LIMIT,
    },
  }));

export type AuthConfig = z.output<typeof shape>;

/** @throws {ConfigError} that names every fault */
export const loadConfig = (environment: Environment): AuthConfig => readConfig(shape, environment);
