import { EventBus, OutboxRelay } from '@najwa/common/amqp';
import { createServiceCaller } from '@najwa/common/grpc';
import { createIdentityVerifier, type IdentityVerifier } from '@najwa/common/identity';
import { createFairQueue, createRateLimiters, measureQueue, ThinnedRateLimiter } from '@najwa/common/limits';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { Database } from '@najwa/common/mongo';
import { createRetention, type Retention } from '@najwa/common/retention';
import { SweepBounds, SweepClock } from '@najwa/common/service';
import { createTracing, type Tracing } from '@najwa/common/tracing';
import { createEnvironmentKeyWrapper, createProofOfWork, DataKeys, DeletionLedger } from '@najwa/product';
import { createAccountStore } from './account/account-store.js';
import type { AccountDeps } from './account/erasure.js';
import type { FilesDeps } from './account/files.js';
import { messageFactOf, type LedgerDeps } from './account/ledger.js';
import { createAuthClient } from './clients/auth.js';
import { createChatbotClient } from './clients/chatbot.js';
import { createMediaClient } from './clients/media.js';
import type { MessageLimit, MessagesConfig } from './config.js';
import { createExportRepository } from './exports/export-store.js';
import { exportFile, type GatherDeps } from './exports/gather.js';
import type { ExportsDeps } from './exports/jobs.js';
import { createExportWorker, type ExportWorkerDeps } from './exports/worker.js';
import { finishDeletions } from './inbox/bulk.js';
import { createInboxStore } from './inbox/inbox-store.js';
import type { InboxDeps } from './inbox/inbox.js';
import { deliverDue, type ModerationDeps } from './moderation/decisions.js';
import { createHeldStore } from './moderation/held-store.js';
import { createReportRepository } from './moderation/report-store.js';
import type { ReportsDeps } from './moderation/reports.js';
import { createNotificationRepository } from './notifications/notification-store.js';
import { createStreamNotifier, forgetNotifications, type NotificationsDeps } from './notifications/notifications.js';
import { createPushServices } from './push/push-services.js';
import { createPushSender, MAX_SENDING_TO_HOST } from './push/sender.js';
import { createPushSubscriptionRepository } from './push/subscription-store.js';
import { forgetBrowsersOfAccount, forgetBrowsersOfMessage, type PushDeps } from './push/subscriptions.js';
import { createAsideStore } from './safety/aside-store.js';
import type { AsideDeps } from './safety/aside.js';
import type { SafetyDeps } from './safety/filters.js';
import { createInboxJudge, type JudgeDeps } from './safety/judge.js';
import { createInboxRulesRepository } from './safety/rules-store.js';
import { createNetworkSalts } from './safety/salts-store.js';
import { createSanctionRepository } from './safety/sanctions-store.js';
import type { SenderLinksDeps } from './sender-links/ways-back.js';
import type { SendingDeps } from './sending/admission.js';
import type { RetriesDeps } from './sending/retries.js';
import { createCountRepository } from './store/counts.js';
import { createMessageRepository, openMessages } from './store/messages.js';
import { createSenderVault } from './store/sender-vault.js';
import { createReplyKeyRepository, createTombstoneRepository } from './store/submissions.js';
import { createWordIndexer, type WordIndexer } from './store/word-indexer.js';
import { createTimers, type Timers } from './timers.js';

const FILTERING_LIMITS = {
  capacity: 2,
  runningPerSender: 1,
  waitingPerSender: 2,
  maxWaiting: 50,
  maxWaitMs: 8_000,
  retryAfter: 5,
};

/** 65,000 hashes on average: a few hundred milliseconds on a phone. */
const WAVE_PROOF_BITS = 16;

/** Of timers, while the database is away. */
const RETRY_MS = 5_000;

interface Subjects
  extends
    InboxDeps,
    SendingDeps,
    RetriesDeps,
    SenderLinksDeps,
    SafetyDeps,
    AsideDeps,
    JudgeDeps,
    ReportsDeps,
    ModerationDeps,
    NotificationsDeps,
    PushDeps,
    ExportsDeps,
    ExportWorkerDeps,
    GatherDeps,
    AccountDeps,
    FilesDeps,
    LedgerDeps {}

export interface MessagesContext extends Subjects {
  /** The process clock. Removal also needs the database's clock to agree. */
  clock: () => Date;
  retention: Retention;
  metrics: Metrics;
  tracing: Tracing;
  identities: IdentityVerifier;
  database: Database;
  wordIndexer: WordIndexer;
}

export async function createContext(
  config: MessagesConfig,
  overrides: Partial<MessagesContext> = {},
): Promise<MessagesContext> {
  const logger = overrides.logger ?? createLogger({ service: 'messages', level: config.logLevel });
  const metrics = new Metrics('messages');
  const tracing = await createTracing('messages', config.tracing);
  const identities = createIdentityVerifier(config.identityPublicKey, 'messages');
  const database = new Database(config.mongo, logger, { metrics, tracing });
  const { connection } = database;
  const bounds = new SweepBounds({ connection, logger, metrics });
  const caller = createServiceCaller('messages', config.servicePrivateKey, metrics);
  const bus = new EventBus({ ...config.amqp, service: 'messages', logger, metrics, tracing });
  const stored = openMessages(connection);
  const counts = createCountRepository(connection, stored.model.collection, config.wave);
  const messages = createMessageRepository(connection, stored, counts);
  const wordIndexer = createWordIndexer(stored, counts, logger);
  const tombstones = createTombstoneRepository(connection, messages.collection);
  const retention = createRetention(config.retentionDays);
  const wrapper = createEnvironmentKeyWrapper(config.senderKeys);
  const dataKeys = new DataKeys({ connection, wrapper, retention, bounds });
  const clock = overrides.clock ?? (() => new Date());
  const sweepClock = new SweepClock({ connection, own: clock, logger, metrics });
  const ledger = new DeletionLedger({
    connection,
    mongo: config.mongo,
    url: config.ledgerUrl,
    keys: config.senderKeys,
    factOf: messageFactOf,
    logger,
  });
  const rules = createInboxRulesRepository({ connection, dataKeys });
  const inbox = createInboxStore(stored, counts, (userId) => rules.emptied(userId));
  const sanctions = createSanctionRepository(connection);
  const reports = createReportRepository(connection);
  const exports = createExportRepository(connection);
  const notifications = createNotificationRepository(connection);
  const pushSubscriptions = createPushSubscriptionRepository(connection);
  const pushServices = createPushServices({ ...config.push, maxSockets: MAX_SENDING_TO_HOST });
  const salts = createNetworkSalts(connection);
  const senders = createSenderVault({ keys: config.moderationKeys, dataKeys });
  const auth = createAuthClient(config.upstreams.auth, caller);
  const media = createMediaClient(config.upstreams.media, caller, logger);
  const chatbot = createChatbotClient(config.upstreams.chatbot, caller);
  const pushSender = createPushSender({
    subscriptions: pushSubscriptions,
    services: pushServices,
    hasUnread: async (userId) =>
      (await notifications.countUnread({ accounts: await senders.keysOf(userId), hidden: [] })) > 0,
    dataKeys,
    logger,
    metrics,
    pauseMs: config.push.pauseMs,
    replyDelayMs: config.push.replyDelayMs,
  });
  const gathered: GatherDeps = { inbox, counts, senders, rules, reports, auth, media, chatbot };
  const gatherExport: ExportWorkerDeps['gatherExport'] = (job, signal, report) =>
    exportFile(gathered, job, signal, report);
  const hash = async (key: string): Promise<string> => (await dataKeys.permanentKey()).tag('limit', key);
  const limits = createRateLimiters(config.limits, { scale: config.limitScale, connection, metrics, hash });
  /** For limits whose exact state others in the network must not infer. */
  const thinned = (name: MessageLimit): ThinnedRateLimiter =>
    new ThinnedRateLimiter(limits[name], config.limits[name], config.limitScale);
  const timersFor = (finish: (now: Date) => Promise<void>): Timers => {
    const timers: Timers = createTimers(async () => {
      try {
        const now = await sweepClock.now();
        if (now !== null) await finish(now);
      } catch (error) {
        logger.warn({ err: error }, 'what was due is not finished, will retry');
        timers.schedule(new Date(Date.now() + RETRY_MS));
      }
    });
    return timers;
  };
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
    outbox: new OutboxRelay({
      connection,
      collections: [messages.collection, reports.collection, rules.collection],
      bus,
      logger,
      metrics,
      ledger,
      beforeRemoval: async (entries) => {
        await counts.apply(entries);
        wordIndexer.notify(entries);
      },
      finalizeDeleted: (collection, documents) =>
        collection === messages.collection ? tombstones.keep(documents) : collection.deleteMany(documents),
    }),
    ledger,
    wordIndexer,
    messages,
    inbox,
    aside: createAsideStore(stored, counts),
    held: createHeldStore(stored),
    accounts: createAccountStore(stored),
    counts,
    tombstones,
    replyKeys: createReplyKeyRepository(connection),
    rules,
    salts,
    sanctions,
    reports,
    exports,
    gatherExport,
    exportWorker: createExportWorker({ exports, media, dataKeys, gatherExport, logger }),
    notifications,
    pushSubscriptions,
    pushServices,
    notifyStreams: createStreamNotifier(bus),
    notifyBrowsers: (notification) => pushSender.enqueueForAccount(notification),
    pushSender,
    senders,
    judge: createInboxJudge({ rules, sanctions, salts, senders, logger }),
    auth,
    media,
    chatbot,
    limits: { ...limits, visitorReport: thinned('visitorReport') },
    wayBackMisses: thinned('wayBack'),
    filtering: measureQueue(createFairQueue(FILTERING_LIMITS), 'filters', metrics),
    proofs: {
      beyondLimits: createProofOfWork({ connection, purpose: 'message' }),
      inWave: createProofOfWork({ connection, purpose: 'message', bits: WAVE_PROOF_BITS }),
    },
    erasers: [
      (userId) => rules.remove(userId),
      (userId) => reports.forgetAccount(userId),
      (userId) => exports.removeOf(userId),
      (userId) => forgetBrowsersOfAccount({ pushSubscriptions, dataKeys }, userId),
    ],
    forgetNotifications: (userId) => forgetNotifications({ notifications, senders }, userId),
    forgetBrowsersOfMessage: (messageId) => forgetBrowsersOfMessage({ pushSubscriptions, dataKeys }, messageId),
    deliveries: timersFor(() => deliverDue(context, new Date())),
    deletions: timersFor((now) => finishDeletions(context, now)),
    ...overrides,
  };
  return context;
}
