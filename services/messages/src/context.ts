import {
  createDataKeys,
  createDeletionLedger,
  createDatabase,
  createEnvironmentKeyWrapper,
  createServiceCaller,
  createEventBus,
  createFairQueue,
  createIdentityVerifier,
  createLogger,
  createMetrics,
  createOutboxRelay,
  createProofOfWork,
  createRateLimiter,
  createSweepBounds,
  createSweepClock,
  createTracing,
  createRetention,
  measureQueue,
  type DataKeys,
  type Database,
  type DeletionLedger,
  type EventBus,
  type FairQueue,
  type IdentityVerifier,
  type Logger,
  type Metrics,
  type OutboxRelay,
  type ProofOfWork,
  type RateLimiter,
  type Retention,
  type SweepBounds,
  type SweepClock,
  type Tracing,
} from '@najwa/common';
import { createAuthClient, type AuthClient } from './clients/auth.js';
import { createChatbotClient, type ChatbotClient } from './clients/chatbot.js';
import { createMediaClient, type MediaClient } from './clients/media.js';
import { createPushServices, type PushServices } from './push/push-services.js';
import type { MessageLimit, MessagesConfig } from './config.js';
import { createCountRepository, type CountRepository } from './store/counts.js';
import { createExportRepository, type ExportRepository } from './exports/export-store.js';
import { createInboxRulesRepository, type InboxRulesRepository } from './safety/rules-store.js';
import { createMessageRepository, type MessageRepository } from './store/messages.js';
import { createNotificationRepository, type NotificationRepository } from './notifications/notification-store.js';
import { createPushSubscriptionRepository, type PushSubscriptionRepository } from './push/subscription-store.js';
import { createReportRepository, type ReportRepository } from './moderation/report-store.js';
import { createSanctionRepository, type SanctionRepository } from './safety/sanctions-store.js';
import { createNetworkSalts, type NetworkSalts } from './safety/salts-store.js';
import {
  createReplyKeyRepository,
  createTombstoneRepository,
  type ReplyKeyRepository,
  type TombstoneRepository,
} from './store/submissions.js';
import { createTimers, finishDeletions, type Timers } from './inbox/bulk.js';
import { createExportWorker, type ExportWorker } from './exports/worker.js';
import { createInboxJudge, type InboxJudge } from './safety/judge.js';
import { messageFactOf, type MessageFact } from './account/ledger.js';
import { createSenderVault, type SenderVault } from './store/sender-vault.js';
import { deliverHeld } from './moderation/decisions.js';
import { createStreamNotifier, type TellStreams } from './notifications/notifications.js';
import { createPushSender, MAX_SENDING_TO_HOST, type PushSender } from './push/sender.js';
import type { WaveRule } from './store/waves.js';

const FILTERING_LIMITS = {
  capacity: 2,
  runningPerSender: 1,
  waitingPerSender: 2,
  maxWaiting: 50,
  maxWaitMs: 8_000,
  retryAfter: 5,
};

/** 65,000 hashes on average: a few hundred milliseconds for a phone. */
const WAVE_PROOF_BITS = 16;

export interface MessagesContext {
  /** The clock of this process, by which nothing is removed that differs from the database's. */
  clock: () => Date;
  bounds: SweepBounds;
  sweepClock: SweepClock;
  retention: Retention;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  identities: IdentityVerifier;
  database: Database;
  dataKeys: DataKeys;
  bus: EventBus;
  outbox: OutboxRelay;
  ledger: DeletionLedger<MessageFact>;
  messages: MessageRepository;
  counts: CountRepository;
  tombstones: TombstoneRepository;
  replyKeys: ReplyKeyRepository;
  rules: InboxRulesRepository;
  sanctions: SanctionRepository;
  reports: ReportRepository;
  exports: ExportRepository;
  exportWorker: ExportWorker;
  notifications: NotificationRepository;
  pushSubscriptions: PushSubscriptionRepository;
  pushServices: PushServices;
  pushSender: PushSender;
  tellStreams: TellStreams;
  senders: SenderVault;
  salts: NetworkSalts;
  judge: InboxJudge;
  auth: AuthClient;
  media: MediaClient;
  chatbot: ChatbotClient;
  limits: Record<MessageLimit, RateLimiter>;
  /** Applies new filters to what waits, of one account once at a time. */
  filtering: FairQueue;
  /** Required beyond the limits of a recipient. */
  proofs: ProofOfWork;
  /** Lower difficulty, for new senders in a wave. A solution of `proofs` passes as well. */
  waveProofs: ProofOfWork;
  wave: WaveRule;
  deletions: Timers;
  /** Of held messages. */
  deliveries: Timers;
}

/** Builds every client once. Tests replace parts of it with `overrides`. */
export async function createContext(
  config: MessagesConfig,
  overrides: Partial<MessagesContext> = {},
): Promise<MessagesContext> {
  const logger = overrides.logger ?? createLogger({ service: 'messages', level: config.logLevel });
  const metrics = createMetrics('messages');
  const tracing = await createTracing('messages', config.tracing);
  const identities = createIdentityVerifier(config.identityPublicKey, 'messages');
  const database = createDatabase(config.mongo, logger, { metrics, tracing });
  const { connection } = database;
  const bounds = createSweepBounds({ connection, logger, metrics });
  const caller = createServiceCaller('messages', config.servicePrivateKey, metrics);
  const bus = createEventBus({ ...config.amqp, service: 'messages', logger, metrics, tracing });
  const messages = createMessageRepository(connection);
  const counts = createCountRepository(connection, messages.collection, config.wave);
  const tombstones = createTombstoneRepository(connection, messages.collection);
  const retention = createRetention(config.retentionDays);
  const wrapper = createEnvironmentKeyWrapper(config.senderKeys);
  const dataKeys = createDataKeys({ connection, wrapper, retention, bounds });
  const clock = overrides.clock ?? (() => new Date());
  const sweepClock = createSweepClock({ connection, own: clock, logger, metrics });
  const ledger = createDeletionLedger({
    connection,
    mongo: config.mongo,
    url: config.ledgerUrl,
    keys: config.senderKeys,
    factOf: messageFactOf,
    logger,
  });
  const rules = createInboxRulesRepository({ connection, dataKeys });
  const sanctions = createSanctionRepository(connection);
  const reports = createReportRepository(connection);
  const notifications = createNotificationRepository(connection);
  const pushSubscriptions = createPushSubscriptionRepository(connection);
  const pushServices = createPushServices({ ...config.push, maxSockets: MAX_SENDING_TO_HOST });
  const salts = createNetworkSalts(connection);
  const senders = createSenderVault({ keys: config.moderationKeys, dataKeys });
  const hash = async (key: string): Promise<string> => (await dataKeys.lasting()).tag('limit', key);
  const limiterOf = (name: MessageLimit): RateLimiter =>
    createRateLimiter({ limit: config.limits[name], scale: config.limitScale, connection, metrics, hash });
  const context: MessagesContext = {
    clock,
    bounds,
    sweepClock,
    retention,
    logger,
    metrics,
    tracing,
    identities,
    database,
    dataKeys,
    bus,
    outbox: createOutboxRelay({
      connection,
      collections: [messages.collection, reports.collection],
      bus,
      logger,
      metrics,
      ledger,
      beforeRemoval: (entries) => counts.apply(entries),
      finalizeDeleted: (collection, documents) =>
        collection === messages.collection ? tombstones.keep(documents) : collection.deleteMany(documents),
    }),
    ledger,
    messages,
    counts,
    tombstones,
    replyKeys: createReplyKeyRepository(connection),
    rules,
    salts,
    sanctions,
    reports,
    exports: createExportRepository(connection),
    exportWorker: createExportWorker(() => context),
    notifications,
    pushSubscriptions,
    pushServices,
    tellStreams: createStreamNotifier(bus),
    pushSender: createPushSender({
      subscriptions: pushSubscriptions,
      services: pushServices,
      notifications,
      senders,
      dataKeys,
      logger,
      metrics,
      pauseMs: config.push.pauseMs,
      replyDelayMs: config.push.replyDelayMs,
    }),
    senders,
    judge: createInboxJudge({ rules, sanctions, salts, senders }),
    auth: createAuthClient(config.upstreams.auth, caller),
    media: createMediaClient(config.upstreams.media, caller),
    chatbot: createChatbotClient(config.upstreams.chatbot, caller),
    limits: {
      sender: limiterOf('sender'),
      retry: limiterOf('retry'),
      wayBack: limiterOf('wayBack'),
      safety: limiterOf('safety'),
      filter: limiterOf('filter'),
      messageChange: limiterOf('messageChange'),
      bulk: limiterOf('bulk'),
      search: limiterOf('search'),
      notification: limiterOf('notification'),
      push: limiterOf('push'),
      report: limiterOf('report'),
      visitorReport: limiterOf('visitorReport'),
      export: limiterOf('export'),
      exportFile: limiterOf('exportFile'),
      voice: limiterOf('voice'),
      recipient: limiterOf('recipient'),
      site: limiterOf('site'),
      provenRecipient: limiterOf('provenRecipient'),
      provenSite: limiterOf('provenSite'),
    },
    filtering: measureQueue(createFairQueue(FILTERING_LIMITS), 'filters', metrics),
    proofs: createProofOfWork({ connection, purpose: 'message' }),
    waveProofs: createProofOfWork({ connection, purpose: 'message', bits: WAVE_PROOF_BITS }),
    wave: config.wave,
    deliveries: createTimers(async () => {
      try {
        await deliverHeld(context, new Date());
      } catch (error) {
        logger.warn({ err: error }, 'held messages not delivered, the sweep will');
      }
    }),
    deletions: createTimers(async () => {
      try {
        const now = await sweepClock.now();
        if (now !== null) await finishDeletions(context, now);
      } catch (error) {
        logger.warn({ err: error }, 'deletions not finished, the sweep will');
      }
    }),
    ...overrides,
  };
  return context;
}
