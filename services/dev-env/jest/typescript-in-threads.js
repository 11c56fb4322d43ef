import { isMainThread } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

// Jest compiles the sources that it loads itself. A thread that a source starts inherits this import and compiles its own,
// so that tests never run what was compiled before.
if (!isMainThread) register();
