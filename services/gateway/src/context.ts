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
import { createClientReader } from './domain/client.js';
import { createPublicAnswers, type PublicAnswers } from './domain/public-answers.js';
import { createOutgoing, type Outgoing } from './domain/outgoing.js';
import { createSessions, type Sessions } from './domain/sessions.js';
import { createSightings, type Sightings } from './domain/sightings.js';
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
  sightings: Sightings;
  /** What is told of in batches. */
  outgoing: Pick<Outgoing<never>, 'start' | 'stop'>[];
  readClient: ReturnType<typeof createClientReader>;
  sign: (identity: Identity) => Promise<string>;
}

/** Builds every client once. `overrides` replace parts of it, for tests. */
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
  const hearsEvents = (): boolean => bus.isConnected();
  const sessions =
    overrides.sessions ?? createSessions({ resolve: (tokenHash) => auth.resolveSession(tokenHash), hearsEvents });
  const visits = createOutgoing({
    name: 'profileVisited',
    payloadOf: (items: Visit[]) => ({ visits: items }),
    bus,
    logger,
  });
  const sightings = createOutgoing({
    name: 'userSeen',
    payloadOf: (items: Sighting[]) => ({ sightings: items }),
    bus,
    logger,
  });
  return {
    logger,
    metrics,
    // Nothing behind us is a condition: while one service is away, the others still answer.
    health: createHealth({}, logger),
    bus,
    auth,
    upstreams: createUpstreams(config.upstreams),
    sessions,
    answers: createPublicAnswers({ hearsEvents }),
    visits: createVisits({ sessions, queue: (visit) => visits.add(visit) }),
    sightings: createSightings((sighting) => sightings.add(sighting)),
    outgoing: [visits, sightings],
    readClient: createClientReader(config.trustedProxies),
    sign: createTokenSource(await createIdentitySigner(config.identityPrivateKey)),
    ...overrides,
  };
}
