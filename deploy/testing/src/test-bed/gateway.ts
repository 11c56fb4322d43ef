import type { ServiceName } from '@najwa/dev/system/environment';
import { SERVICE_MODULES, type RunningService } from '@najwa/dev/system/service-module';
import type { Bed } from './test-bed.js';
import { createTestLogger } from './test-logs.js';

/** In front of a bed. */
export interface BedGateway {
  origin: string;
  stop(): Promise<void>;
}

/** @param now for caches */
export async function startGateway(bed: Bed, now = () => performance.now()): Promise<BedGateway> {
  const environment = bed.environmentOf('gateway');
  const { create, loadConfig } = await import('@najwa/gateway');
  const logger = createTestLogger(environment['AMQP_PREFIX'] ?? '', 'gateway');
  const gateway = await create(loadConfig(environment), { logger, now });
  await gateway.start();
  return { origin: `http://127.0.0.1:${gateway.ports().http}`, stop: () => gateway.stop() };
}

/**
 * One more process of a service, as far as a bed has processes.
 * @param overrides parts of its context
 */
export async function startReplica(bed: Bed, service: ServiceName, overrides: object = {}): Promise<RunningService> {
  const environment = bed.environmentOf(service);
  const { create, loadConfig } = await SERVICE_MODULES[service]();
  const logger = createTestLogger(environment['AMQP_PREFIX'] ?? '', service);
  const replica = await create(loadConfig(environment) as never, { logger, ...overrides });
  await replica.start();
  return replica;
}
