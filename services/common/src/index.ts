export * from './amqp/event-bus.js';
export type { EventHandlers } from './amqp/consumer.js';
export { openQueues, type SystemQueues } from './amqp/queues.js';
export { createParkedSweep, openParkedEvents, type ParkedEvent, type ParkedEvents } from './amqp/parked.js';
export {
  namesFor,
  RETRY_DELAYS_MS,
  routingKey,
  SUBSCRIBERS,
  SUBSCRIPTIONS,
  type BrokerConfig,
  type EventName,
  type EventPayload,
  type Subscriber,
} from './amqp/topology.js';
export * from './arrival.js';
export * from './batcher.js';
export { runParked, type ParkedCommand } from './cli/parked.js';
export * from './client-network.js';
export * from './config.js';
export * from './data-keys.js';
export * from './deletion-ledger.js';
export * from './errors.js';
export * from './fair-queue.js';
export { CALLERS_BY_PATH } from './grpc/access.js';
export { clientStream, createGrpcClient, unary, type ClientStream } from './grpc/client.js';
export { createServiceCaller, publicKeyEntry, type PublicKeys, type ServiceCaller } from './grpc/service-token.js';
export type { UnaryHandlers } from './grpc/server.js';
export * from './health.js';
export { entityTagOf, hasEntityTag, matchesEntityTag } from './http/entity-tag.js';
export { beginRangedAnswer, INERT_HEADERS, readByteRange, type ByteRange } from './http/file-answer.js';
export { CLIENT_GONE } from './http/app.js';
export { receivePicture } from './http/body.js';
export { readForm, type FormRequest } from './http/form.js';
export * from './http/page-headers.js';
export { createRoutes, type Call, type Caller, type Handlers, type LimitedHandler } from './http/routes.js';
export { createHttpServer, manageServer, type HttpServer } from './http/server.js';
export {
  cookieAttributes,
  FORWARDED_HOST_HEADER,
  hashSessionToken,
  SESSION_COOKIE,
  type CookieAttributes,
} from './http/cookies.js';
export * from './idempotency.js';
export * from './identity.js';
export * from './lifecycle.js';
export * from './logger.js';
export * from './measured-queue.js';
export * from './metrics/metrics.js';
export * from './metrics/workers.js';
export * from './minute.js';
export * from './mongo/database.js';
export * from './mongo/counters.js';
export * from './mongo/errors.js';
export * from './mongo/id-ranges.js';
export * from './mongo/indexes.js';
export * from './mongo/insert-each.js';
export * from './mongo/migrations.js';
export * from './outbox.js';
export * from './proof-of-work.js';
export * from './random-ids.js';
export * from './rate-limit.js';
export * from './request-context.js';
export * from './retention.js';
export { createSealer, decryptBytes, encryptBytes, sealingKeys, type Sealer } from './sealing.js';
export * from './service.js';
export * from './single-flight.js';
export {
  createSweepBounds,
  createSweepClock,
  MAX_REPLICA_SKEW_MS,
  SWEEP_PERMITS,
  type SweepBounds,
  type SweepClock,
} from './sweeper.js';
export * from './tracing/span.js';
export * from './tracing/tracing.js';
export * from './validation.js';
export * from './user-agent.js';
