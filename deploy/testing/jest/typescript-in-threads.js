import { isMainThread } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

// Jest compiles the sources that it loads. Worker threads inherit this import and compile their own sources, so tests
// never use an outdated build.
if (!isMainThread) register();
