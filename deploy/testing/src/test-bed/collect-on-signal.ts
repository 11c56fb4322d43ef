import { Session } from 'node:inspector';
import { COLLECT_SIGNAL } from './processes.js';

// Loaded into a service. The session stays: ending it in its own callback stops the process (Node.js 20).
const session = new Session();
session.connect();
process.on(COLLECT_SIGNAL, () => session.post('HeapProfiler.collectGarbage'));
