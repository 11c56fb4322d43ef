import { SERVICE_NAMES, type ServiceName } from '@najwa/dev/system/environment';
import { atEndOfRun } from './end-of-run.js';
import { startTestBed, type Bed, type TestBed } from './test-bed.js';

/** Tests start their own gateway. */
const SHARED = SERVICE_NAMES.filter((name): name is Exclude<ServiceName, 'gateway'> => name !== 'gateway');

let starting: Promise<TestBed> | undefined;

async function start(): Promise<TestBed> {
  const bed = await startTestBed({ services: SHARED, env: { RATE_LIMIT_SCALE: '0' } });
  atEndOfRun(() => bed.stop());
  return bed;
}

/**
 * All services but the gateway, without limits, shared by the files of a process in turn. Each uses its own accounts
 * and leaves services unchanged.
 */
export function sharedBed(): Promise<Bed> {
  return (starting ??= start());
}
