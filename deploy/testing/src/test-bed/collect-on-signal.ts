import { Session } from 'node:inspector';
import { COLLECT_SIGNAL } from './processes.js';

// Loaded into a service. Ending the session in its callback stops the process (Node.js 20).
const session = new Session();
session.connect();
process.on(COLLECT_SIGNAL, () => session.post('HeapProfiler.collectGarbage'));
