import {
  createEventBus,
  createHealth,
  createIdentitySigner,
  createLogger,
  createMetrics,
  createServiceCaller,
  type EventBus,
  type Health,
  type Identity,
  type Logger,
  type Metrics,
} from '@najwa/common';
import type { Sighting, Visit } from '@najwa/proto/events';
import { createAuthClient, type AuthClient } from './clients/auth.js';
import { createUpstreams, type Upstreams } from './clients/upstreams.js';
import type { GatewayConfig } from './config.js';
import { createEventBatcher, type EventBatcher } from './domain/event-batcher.js';
import { createPresenceUpdates, type PresenceUpdates } from './domain/presence.js';
import { createPublicAnswers, type PublicAnswers } from './domain/public-answers.js';
import { createOriginReader } from './domain/request-origin.js';
import { createSessions, type Sessions } from './domain/sessions.js';
import { createVisits, type Visits } from './domain/visits.js';
import { createTokenSource } from './policies/identity.js';

export interface GatewayContext {
  logger: Logger;
  metrics: Metrics;
  health: Health;
  bus: EventBus;
  auth: AuthClient;
  upstreams: Upstreams;
  sessions: Sessions;
  answers: PublicAnswers;
  visits: Visits;
  presence: PresenceUpdates;
  /** Started and stopped with the service. */
  batchers: Pick<EventBatcher<never>, 'start' | 'stop'>[];
  readOrigin: ReturnType<typeof createOriginReader>;
  sign: (identity: Identity) => Promise<string>;
}

/** Builds every client once. Tests replace parts with `overrides`. */
export async function createContext(
  config: GatewayConfig,
  overrides: Partial<GatewayContext> = {},
): Promise<GatewayContext> {
  const {
    logger = createLogger({ service: 'gateway', level: config.logLevel }),
    metrics = createMetrics('gateway'),
    bus = createEventBus({ ...config.amqp, service: 'gateway', logger, metrics }),
    auth = createAuthClient(config.authGrpc, createServiceCaller('gateway', config.servicePrivateKey)),
  } = overrides;
  const isSubscribed = (): boolean => bus.isConnected();
  const sessions =
    overrides.sessions ?? createSessions({ resolve: (tokenHash) => auth.resolveSession(tokenHash), isSubscribed });
  const visits = createEventBatcher({
    name: 'profileVisited',
    payloadOf: (items: Visit[]) => ({ visits: items }),
    bus,
    logger,
  });
  const presence = createEventBatcher({
    name: 'userSeen',
    payloadOf: (items: Sighting[]) => ({ sightings: items }),
    bus,
    logger,
  });
  return {
    logger,
    metrics,
    // Readiness depends on no service: if one is down, the others still answer.
    health: createHealth({}, logger),
    bus,
    auth,
    upstreams: createUpstreams(config.upstreams),
    sessions,
    answers: createPublicAnswers({ isSubscribed }),
    visits: createVisits({ sessions, queue: (visit) => visits.add(visit), scale: config.rateLimitScale }),
    presence: createPresenceUpdates((sighting) => presence.add(sighting)),
    batchers: [visits, presence],
    readOrigin: createOriginReader(config.trustedProxies),
    sign: createTokenSource(await createIdentitySigner(config.identityPrivateKey)),
    ...overrides,
  };
}
