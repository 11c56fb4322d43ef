export type { Answer, CallerIdentity, CallOptions } from './call.js';
export { deleteTopology, dropDatabase } from './cleanup.js';
export { takeClock, type TestClock } from './clock.js';
export { eventually } from './eventually.js';
export {
  accountFrom,
  buildMessage,
  buildRegistration,
  dataUrl,
  PASSWORD,
  PIXEL,
  readSample,
  uniqueAddress,
  uniqueName,
  type BedAccount,
  type NewMessage,
  type Registration,
  type SentMessage,
  type TestAccount,
} from './factories.js';
export { startGateway, startReplica, type BedGateway } from './gateway.js';
export { FORBIDDEN_TEXTS, HOSTILE_TEXTS } from './hostile-texts.js';
export { openLine, type Condition, type Line } from './network.js';
export { openDatabase } from './open-database.js';
export { createOpenApiChecker, type ObservedAnswer, type OpenApiChecker } from './openapi.js';
export {
  requestGc,
  COLLECT_ON_SIGNAL,
  longestHolds,
  processesByService,
  WATCH_LOOP,
  type ServiceProcess,
} from './processes.js';
export {
  startPushService,
  type PushAnswer,
  type ReceivedPush,
  type StandInBrowser,
  type StandInPushService,
} from './push-service.js';
export { inboxOf, trackedIdsOf, type InboxMessage } from './reading.js';
export { chosenShell, requiredVariable } from './required-variable.js';
export { sharedBed } from './shared-bed.js';
export { startTestBed, type Bed, type TestBed, type TestBedOptions } from './test-bed.js';
export { makeTestFolder } from './test-folder.js';
export {
  attachTestSystem,
  callsThrough,
  startTestSystem,
  type RequestOptions,
  type TestSystem,
  type TestSystemOptions,
} from './test-system.js';
