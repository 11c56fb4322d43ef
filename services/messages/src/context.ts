import { EventBus, OutboxRelay } from '@najwa/common/amqp';
import { createServiceCaller, type ServiceCaller } from '@najwa/common/grpc';
import { createIdentityVerifier, type IdentityVerifier } from '@najwa/common/identity';
import { createFairQueue, createRateLimiters, ThinnedRateLimiter, measureQueue } from '@najwa/common/limits';
import { createLogger, type Logger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { Database } from '@najwa/common/mongo';
import { createRetention, type Retention } from '@najwa/common/retention';
import { SweepBounds, SweepClock } from '@najwa/common/service';
import { createTracing, type Tracing } from '@najwa/common/tracing';
import { DataKeys, DeletionLedger, createEnvironmentKeyWrapper, createProofOfWork } from '@najwa/product';
import type { Connection } from 'mongoose';
import { AccountStore } from './account/account-store.js';
import type { AccountDeps } from './account/erasure.js';
import type { FilesDeps } from './account/files.js';
import { messageFactOf, type LedgerDeps } from './account/ledger.js';
import { AuthClient } from './clients/auth.js';
import { ChatbotClient } from './clients/chatbot.js';
import { MediaClient } from './clients/media.js';
import type { MessageLimit, MessagesConfig } from './config.js';
import { ExportRepository } from './exports/export-store.js';
import { exportFile, type GatherDeps } from './exports/gather.js';
import type { ExportsDeps } from './exports/jobs.js';
import { ExportWorker, type ExportWorkerDeps } from './exports/worker.js';
import { finishDeletions } from './inbox/bulk.js';
import { InboxStore } from './inbox/inbox-store.js';
import type { InboxDeps } from './inbox/inbox.js';
import { deliverDue, type ModerationDeps } from './moderation/decisions.js';
import { HeldStore } from './moderation/held-store.js';
import { ReportRepository } from './moderation/report-store.js';
import type { ReportsDeps } from './moderation/reports.js';
import { NotificationRepository } from './notifications/notification-store.js';
import { createStreamNotifier, forgetNotifications, type NotificationsDeps } from './notifications/notifications.js';
import { PushServices } from './push/push-services.js';
import { PushSender, MAX_SENDING_TO_HOST } from './push/sender.js';
import { PushSubscriptionRepository } from './push/subscription-store.js';
import { forgetBrowsersOfAccount, forgetBrowsersOfMessage, type PushDeps } from './push/subscriptions.js';
import { AsideStore } from './safety/aside-store.js';
import type { AsideDeps } from './safety/aside.js';
import type { SafetyDeps } from './safety/filters.js';
import { InboxJudge, type JudgeDeps } from './safety/judge.js';
import { InboxRulesRepository } from './safety/rules-store.js';
import { NetworkSalts } from './safety/salts-store.js';
import { SanctionRepository } from './safety/sanctions-store.js';
import type { SenderLinksDeps } from './sender-links/ways-back.js';
import type { SendingDeps } from './sending/admission.js';
import type { RetriesDeps } from './sending/retries.js';
import { CountRepository } from './store/counts.js';
import { MessageRepository, StoredMessages } from './store/messages.js';
import { SenderVault } from './store/sender-vault.js';
import { ReplyKeyRepository, TombstoneRepository } from './store/submissions.js';
import { WordIndexer } from './store/word-indexer.js';
import { Timers } from './timers.js';

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

export interface MessagesContext
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
    LedgerDeps {
  /** The process clock. Removal also needs the database's clock to agree. */
  clock: () => Date;
  retention: Retention;
  metrics: Metrics;
  tracing: Tracing;
  identities: IdentityVerifier;
  database: Database;
  wordIndexer: WordIndexer;
}

function createStores(connection: Connection, dataKeys: DataKeys, { wave }: MessagesConfig, logger: Logger) {
  const stored = new StoredMessages(connection);
  const counts = new CountRepository(connection, stored.model.collection, wave);
  const messages = new MessageRepository(connection, stored, counts);
  const rules = new InboxRulesRepository(connection, dataKeys);
  return {
    counts,
    messages,
    rules,
    wordIndexer: new WordIndexer(stored, counts, logger),
    tombstones: new TombstoneRepository(connection, messages.collection),
    inbox: new InboxStore(stored, counts, rules),
    aside: new AsideStore(stored, counts),
    held: new HeldStore(stored),
    accounts: new AccountStore(stored),
    replyKeys: new ReplyKeyRepository(connection),
    salts: new NetworkSalts(connection),
    sanctions: new SanctionRepository(connection),
    reports: new ReportRepository(connection),
    exports: new ExportRepository(connection),
    notifications: new NotificationRepository(connection),
    pushSubscriptions: new PushSubscriptionRepository(connection),
  };
}

const createClients = ({ upstreams }: MessagesConfig, caller: ServiceCaller, logger: Logger) => ({
  auth: new AuthClient(upstreams.auth, caller),
  media: new MediaClient(upstreams.media, caller, logger),
  chatbot: new ChatbotClient(upstreams.chatbot, caller),
});

function createLimits(
  { limits: rules, limitScale: scale }: MessagesConfig,
  connection: Connection,
  dataKeys: DataKeys,
  metrics: Metrics,
) {
  const hash = async (key: string): Promise<string> => (await dataKeys.permanentKey()).tag('limit', key);
  const limits = createRateLimiters(rules, { scale, connection, metrics, hash });
  /** For limits whose exact state others in the network must not infer. */
  const thinned = (name: MessageLimit) => new ThinnedRateLimiter(limits[name], rules[name], scale);
  return {
    limits: { ...limits, visitorReport: thinned('visitorReport') },
    wayBackMisses: thinned('wayBack'),
    filtering: measureQueue(createFairQueue(FILTERING_LIMITS), 'filters', metrics),
    proofs: {
      beyondLimits: createProofOfWork({ connection, purpose: 'message' }),
      inWave: createProofOfWork({ connection, purpose: 'message', bits: WAVE_PROOF_BITS }),
    },
  };
}

export async function createContext(
  config: MessagesConfig,
  overrides: Partial<MessagesContext> = {},
): Promise<MessagesContext> {
  const logger = overrides.logger ?? createLogger({ service: 'messages', level: config.logLevel });
  const metrics = new Metrics('messages');
  const tracing = await createTracing('messages', config.tracing);
  const database = new Database(config.mongo, logger, { metrics, tracing });
  const { connection } = database;
  const bounds = new SweepBounds({ connection, logger, metrics });
  const bus = new EventBus({ ...config.amqp, service: 'messages', logger, metrics, tracing });
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
  const stores = createStores(connection, dataKeys, config, logger);
  const { messages, counts, rules, reports, exports, notifications, pushSubscriptions } = stores;
  const clients = createClients(config, createServiceCaller('messages', config.servicePrivateKey, metrics), logger);
  const pushServices = new PushServices({ ...config.push, maxSockets: MAX_SENDING_TO_HOST });
  const senders = new SenderVault(config.moderationKeys, dataKeys);
  const pushSender = new PushSender({
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
  const gatherExport: ExportWorkerDeps['gatherExport'] = (job, signal, report) =>
    exportFile({ ...stores, ...clients, senders }, job, signal, report);
  const finishing = (finish: (now: Date) => Promise<void>): Timers =>
    new Timers(async () => {
      const now = await sweepClock.now();
      if (now !== null) await finish(now);
    }, logger);
  const context: MessagesContext = {
    ...stores,
    ...clients,
    clock,
    bounds,
    sweepClock,
    retention,
    logger,
    metrics,
    tracing,
    identities: createIdentityVerifier(config.identityPublicKey, 'messages'),
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
        stores.wordIndexer.notify(entries);
      },
      finalizeDeleted: (collection, documents) =>
        collection === messages.collection ? stores.tombstones.keep(documents) : collection.deleteMany(documents),
    }),
    ledger,
    gatherExport,
    exportWorker: new ExportWorker({ exports, media: clients.media, dataKeys, gatherExport, logger }),
    pushServices,
    notifyStreams: createStreamNotifier(bus),
    notifyBrowsers: (notification) => pushSender.enqueueForAccount(notification),
    pushSender,
    senders,
    judge: new InboxJudge({ ...stores, senders, logger }),
    ...createLimits(config, connection, dataKeys, metrics),
    erasers: [
      (userId) => rules.remove(userId),
      (userId) => reports.forgetAccount(userId),
      (userId) => exports.removeOf(userId),
      (userId) => forgetBrowsersOfAccount({ pushSubscriptions, dataKeys }, userId),
    ],
    forgetNotifications: (userId) => forgetNotifications({ notifications, senders }, userId),
    forgetBrowsersOfMessage: (messageId) => forgetBrowsersOfMessage({ pushSubscriptions, dataKeys }, messageId),
    deliveries: finishing(() => deliverDue(context, new Date())),
    deletions: finishing((now) => finishDeletions(context, now)),
    ...overrides,
  };
  return context;
}
