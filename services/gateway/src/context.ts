import cluster from 'node:cluster';
import { EventBus, type EventName } from '@najwa/common/amqp';
import { createServiceCaller } from '@najwa/common/grpc';
import { createIdentitySigner, type IdentitySigner } from '@najwa/common/identity';
import { createLogger, type Logger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { Health } from '@najwa/common/service';
import { createTracing, type Tracing } from '@najwa/common/tracing';
import type { PresenceUpdate, Visit } from '@najwa/proto/events';
import { createAuthClient, type AuthClient } from './clients/auth.js';
import { createMessagesClient, type MessagesClient } from './clients/messages.js';
import { Upstreams } from './clients/upstreams.js';
import type { GatewayConfig } from './config.js';
import { createNetworkPaces, type NetworkPaces } from './domain/request-body.js';
import { ConcurrencyLimit } from './domain/concurrency-limit.js';
import { EventBatcher } from './domain/event-batcher.js';
import { createPresenceUpdates, type PresenceUpdates } from './domain/presence.js';
import { createOriginReader, type RequestOrigin } from './domain/request-origin.js';
import { createStandIns } from './domain/tracking.js';
import { Sessions } from './domain/sessions.js';
import { createSiteReader, type Site } from './domain/sites.js';
import { Streams } from './domain/streams.js';
import { NEW_VISITORS, Visits } from './domain/visits.js';
import { Windows } from './domain/windows.js';
import { createPainter, type Painter } from './pictures/painter.js';
import { createTokenSource } from './policies/identity.js';
import { createPublicCache, type PublicCache } from './public/reads.js';
import { PublicPages } from './rendering/index.js';

export interface GatewayContext {
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  health: Health;
  bus: EventBus;
  now: () => number;
  auth: AuthClient;
  messages: MessagesClient;
  streams: Streams;
  upstreams: Upstreams;
  sessions: Sessions;
  publicCache: PublicCache;
  pictureCache: PublicCache;
  painter: Painter;
  pages: PublicPages;
  limits: {
    windows: { networks: Windows; newVisitors: Windows };
    slots: Record<'requests' | 'uploads' | 'streams' | 'accountStreams' | 'drawings', ConcurrencyLimit>;
    paces: NetworkPaces;
  };
  visits: Visits;
  presence: PresenceUpdates;
  batchers: Pick<EventBatcher<EventName, never>, 'start' | 'stop'>[];
  readOrigin: ReturnType<typeof createOriginReader>;
  siteOf: (origin: RequestOrigin) => Site;
  sign: IdentitySigner['sign'];
}

const STREAMS_PER_ACCOUNT = 16;
/** A quarter of the pictures that may wait. */
const DRAWINGS_PER_NETWORK = 8;

export async function createContext(
  config: GatewayConfig,
  overrides: Partial<GatewayContext> = {},
): Promise<GatewayContext> {
  const {
    logger = createLogger({ service: 'gateway', level: config.logLevel }),
    metrics = new Metrics('gateway'),
    tracing = await createTracing('gateway', config.tracing),
    bus = new EventBus({ ...config.amqp, service: 'gateway', logger, metrics, tracing }),
    now = () => performance.now(),
  } = overrides;
  const caller = createServiceCaller('gateway', config.servicePrivateKey, metrics);
  const auth = overrides.auth ?? createAuthClient(config.authGrpc, caller);
  const messages = overrides.messages ?? createMessagesClient(config.messagesGrpc, caller);
  const streams = new Streams(messages, logger);
  const isSubscribed = (): boolean => bus.isReceiving();
  const sessions =
    overrides.sessions ?? new Sessions({ resolve: (tokenHash) => auth.resolveSession(tokenHash), isSubscribed, now });
  const publicCache = createPublicCache({ isSubscribed, maxBytes: config.cacheBytes, now });
  const pictureCache = createPublicCache({ isSubscribed, maxBytes: config.pictureBytes, now });
  const isFair = config.rateLimitScale > 0;
  const upstreams = new Upstreams(config.upstreams, metrics, { isFair });
  metrics.addCache('sessions', () => sessions.counts);
  metrics.addCache('public-answers', () => publicCache.counts);
  metrics.addCache('pictures', () => pictureCache.counts);
  metrics.addGauge(
    'cache_bytes',
    'Bytes of cached public answers, pages and pictures.',
    () => publicCache.size() + pictureCache.size(),
  );
  const limits = createLimits(config, metrics);
  const visits = new EventBatcher({
    name: 'profileVisited',
    payloadOf: (items: Visit[]) => ({ visits: items }),
    bus,
    logger,
  });
  const presence = new EventBatcher({
    name: 'userSeen',
    payloadOf: (items: PresenceUpdate[]) => ({ updates: items }),
    bus,
    logger,
  });
  return {
    logger,
    metrics,
    tracing,
    now,
    // None: if one service is down, the others still answer.
    health: new Health({}, logger),
    bus,
    auth,
    messages,
    streams,
    upstreams,
    sessions,
    publicCache,
    pictureCache,
    painter: createPainter(logger, { isFair }),
    pages: new PublicPages({ upstreams, logger, isFair, tracking: config.tracking }),
    limits,
    visits: new Visits({ sessions, queue: (visit) => visits.add(visit), newVisitors: limits.windows.newVisitors }),
    presence: createPresenceUpdates((update) => presence.add(update), now),
    batchers: [visits, presence],
    readOrigin: createOriginReader(
      config.trustedProxies,
      config.tracking === 'full' ? undefined : createStandIns(config.tracking, config.identityPrivateKey),
    ),
    siteOf: createSiteReader(config.publicHosts),
    sign: createTokenSource(createIdentitySigner(config.identityPrivateKey)),
    ...overrides,
  };
}

function createLimits({ rateLimitScale: scale, limits }: GatewayConfig, metrics: Metrics): GatewayContext['limits'] {
  const { network, requests, requestsPerNetwork, uploads, uploadsPerNetwork, streams, streamsPerNetwork } = limits;
  const bytesPerSecond = scale === 0 ? Infinity : limits.bodyBytesPerSecond * scale;
  const windows = { scale, isShared: cluster.isWorker };
  const slots = (limit: string, total: number, perNetwork: number): ConcurrencyLimit =>
    new ConcurrencyLimit({
      total,
      perKey: scale === 0 ? Infinity : Math.max(1, perNetwork * scale),
      onRefused: () => metrics.limitsRefused.inc({ limit }),
    });
  const created = {
    windows: {
      networks: new Windows({ points: network.points, windowMs: network.seconds * 1000, ...windows }),
      newVisitors: new Windows({ ...NEW_VISITORS, ...windows, isThinned: true }),
    },
    slots: {
      requests: slots('requests', requests, requestsPerNetwork),
      uploads: slots('uploads', uploads, uploadsPerNetwork),
      streams: slots('streams', streams, streamsPerNetwork),
      accountStreams: slots('account-streams', Infinity, STREAMS_PER_ACCOUNT),
      drawings: slots('drawings', Infinity, DRAWINGS_PER_NETWORK),
    },
    paces: createNetworkPaces({ bytesPerSecond }),
  };
  metrics.addGauge('requests_in_progress', 'Requests under way, without those answered from the cache.', () =>
    created.slots.requests.inProgress(),
  );
  metrics.addGauge('uploads_in_progress', 'Large bodies under way.', () => created.slots.uploads.inProgress());
  metrics.addGauge('streams_open', 'Event streams that are open.', () => created.slots.streams.inProgress());
  return created;
}
