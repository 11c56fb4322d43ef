export * from './event-bus.js';
export type { EventHandlers } from './consumer.js';
export { openQueues, type SystemQueues } from './queues.js';
export { openTrial } from './trial.js';
export { createParkedSweep, type ParkedEvent, ParkedEvents } from './parked.js';
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
} from './topology.js';
export { runParked, type ParkedCommand } from '../cli/parked.js';
export * from './outbox.js';
