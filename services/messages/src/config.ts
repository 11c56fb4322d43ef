import {
  backendConfigOf,
  backendEnvironment,
  declareLimits,
  commaList,
  grpcAddress,
  grpcClientEnvironment,
  rateLimit,
  rateLimitEnvironment,
  readConfig,
  wholeNumber,
  type Environment,
} from '@najwa/common/config';
import type { RateLimiter } from '@najwa/common/limits';
import { retentionEnvironment } from '@najwa/common/retention';
import { sealingKeys } from '@najwa/common/sealing';
import { ledgerEnvironment, senderEnvironment } from '@najwa/product';
import { z } from 'zod';

const LIMITS = declareLimits({
  sender: ['MESSAGE_SENDER_LIMIT', '10/60', 'Messages of one sender.'],
  retry: ['MESSAGE_RETRY_LIMIT', '30/60', 'Retries of one sender, instead of the limit above.'],
  wayBack: ['WAY_BACK_LIMIT', '240/60', 'Calls of one way back, and about as many misses from one network.'],
  safety: ['SAFETY_LIMIT', '60/60', 'Changes of blocks and pins, and of many messages at once, of one account.'],
  filter: [
    'FILTER_LIMIT',
    '30/3600',
    'Changes of word filters of one account. Each is applied to all messages that wait.',
  ],
  messageChange: ['MESSAGE_CHANGE_LIMIT', '120/60', 'Changes of one message, and replies, of one account.'],
  bulk: ['BULK_LIMIT', '1000/60', 'Messages in changes of many, of one account.'],
  search: [
    'SEARCH_LIMIT',
    '120/60',
    'Searches and filtered lists of one account, which read more messages than they show.',
  ],
  stats: ['STATS_LIMIT', '240/60', 'Readings of the counts of one account. A page reads them after each change.'],
  notification: ['NOTIFICATION_LIMIT', '120/60', 'Marking notifications as read, of one account.'],
  push: ['PUSH_LIMIT', '60/3600', 'Changes of push subscriptions, of an account or of a way back.'],
  report: ['REPORT_LIMIT', '30/3600', 'Reports of one account.'],
  visitorReport: ['REPORT_VISITOR_LIMIT', '10/3600', 'About as many reports of visitors from one network.'],
  export: ['EXPORT_LIMIT', '5/86400', 'Exports of one account.'],
  exportFile: [
    'EXPORT_FILE_LIMIT',
    '50/86400',
    'Downloads of exports of one account. One that breaks off takes several.',
  ],
  voice: ['VOICE_LIMIT', '6/60', 'Voice messages of one sender.'],
  recipient: ['MESSAGE_RECIPIENT_LIMIT', '60/60', 'Messages to one inbox. Beyond it, a proof of work.'],
  site: ['MESSAGE_SITE_LIMIT', '20/60', 'Messages of one site to one inbox. Beyond it, a proof of work.'],
  provenRecipient: ['MESSAGE_PROVEN_RECIPIENT_LIMIT', '600/60', 'Messages with a proof of work to one inbox.'],
  provenSite: ['MESSAGE_PROVEN_SITE_LIMIT', '200/60', 'Messages with a proof of work of one site to one inbox.'],
});

export const shape = z
  .object({
    ...backendEnvironment('messages'),
    ...grpcClientEnvironment,
    ...ledgerEnvironment,
    ...rateLimitEnvironment,
    ...retentionEnvironment,
    ...senderEnvironment,
    MODERATION_KEYS: sealingKeys.describe(
      '32 random bytes in base64, for tags of reported senders. Several in a rotation.',
    ),
    /** Private keys of P-256, which any 32 bytes are. */
    PUSH_KEYS: sealingKeys.describe(
      '32 random bytes in base64, which sign what push services get. Several in a rotation.',
    ),
    PUSH_CONTACT: z
      .string()
      .regex(/^(mailto:.+@.+|https:\/\/.+)$/, 'must begin with mailto: or https://')
      .default('mailto:postmaster@localhost.invalid')
      .describe('Where operators of push services reach the operator of this site: `mailto:` or `https:`.'),
    PUSH_TRUSTED_ORIGINS: commaList
      .refine(
        (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
        'must be origins such as http://127.0.0.1:9000, separated by commas',
      )
      .describe('Push services exempt from the rules for addresses: origins, separated by commas.'),
    PUSH_PAUSE_SECONDS: wholeNumber({ min: 0, max: 3600 })
      .default(30)
      .describe('Pause between two notices to a browser.'),
    PUSH_REPLY_DELAY_SECONDS: wholeNumber({ min: 0, max: 3600 })
      .default(600)
      .describe('The longest wait before browsers are told of a reply.'),
    AUTH_GRPC: grpcAddress,
    MEDIA_GRPC: grpcAddress,
    CHATBOT_GRPC: grpcAddress,
    ...LIMITS.environment,
    MESSAGE_WAVE_LIMIT: rateLimit(
      'MESSAGE_WAVE_LIMIT',
      '30/600',
      'The least that counts as a wave of messages to one inbox.',
    ),
  })
  .transform((environment) => ({
    ...backendConfigOf(environment),
    servicePrivateKey: environment.SERVICE_PRIVATE_KEY,
    moderationKeys: environment.MODERATION_KEYS,
    push: {
      keys: environment.PUSH_KEYS,
      contact: environment.PUSH_CONTACT,
      trustedOrigins: environment.PUSH_TRUSTED_ORIGINS,
      pauseMs: environment.PUSH_PAUSE_SECONDS * 1000,
      replyDelayMs: environment.PUSH_REPLY_DELAY_SECONDS * 1000,
    },
    senderKeys: environment.SENDER_KEYS,
    ledgerUrl: environment.LEDGER_URL,
    upstreams: { auth: environment.AUTH_GRPC, media: environment.MEDIA_GRPC, chatbot: environment.CHATBOT_GRPC },
    limitScale: environment.RATE_LIMIT_SCALE,
    /** Disabled limits disable waves. */
    wave: {
      ...environment.MESSAGE_WAVE_LIMIT,
      points:
        environment.RATE_LIMIT_SCALE === 0
          ? Infinity
          : environment.MESSAGE_WAVE_LIMIT.points * environment.RATE_LIMIT_SCALE,
    },
    retentionDays: environment.TRACKING_RETENTION_DAYS,
    limits: LIMITS.limitsOf(environment),
  }));

export type MessagesConfig = z.output<typeof shape>;
export type MessageLimit = keyof MessagesConfig['limits'];
export type Limits<Name extends MessageLimit = MessageLimit> = Record<Name, RateLimiter>;

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): MessagesConfig => readConfig(shape, environment);
