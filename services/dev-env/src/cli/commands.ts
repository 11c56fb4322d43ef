// Commands that act on a running system, for the run that tries all of them in their smoke forms.
export { isGoToolReady, K6 } from '../bootstrap/go-programs.js';
export { smokeTest } from '../cluster/load.js';
export { headersOf, newPerson, type Person } from './fuzz/people.js';
export { FUZZED, fuzzSystem, installedSchemathesis } from './fuzz/index.js';
