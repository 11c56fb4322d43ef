import { SERVICE_NAMES, type ServiceName } from '@najwa/dev/system/environment';
import { atEndOfRun } from './end-of-run.js';
import { startTestBed, type Bed, type TestBed } from './test-bed.js';

/** Tests that need a gateway start their own. */
const SHARED = SERVICE_NAMES.filter((name): name is Exclude<ServiceName, 'gateway'> => name !== 'gateway');

let starting: Promise<TestBed> | undefined;

async function start(): Promise<TestBed> {
  const bed = await startTestBed({ services: SHARED, env: { RATE_LIMIT_SCALE: '0' } });
  atEndOfRun(() => bed.stop());
  return bed;
}

/**
 * All services but the gateway, without limits, shared by the test files of a process, which run one after another. The first one starts
 * them. Each takes accounts of its own, finds what the others left, and leaves the services as they were.
 */
export function sharedBed(): Promise<Bed> {
  return (starting ??= start());
}
