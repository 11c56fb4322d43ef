import { isMainThread } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

// Worker threads compile their own sources, so that tests never use an outdated build.
if (!isMainThread) register();
