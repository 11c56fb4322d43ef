import { openSync, readSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { loopSocketOf } from './processes.js';

const TICK_MS = 1;

/** Processor time of the main thread in milliseconds. Elsewhere than on Linux, real time. */
function createClock(): () => number {
  if (process.platform !== 'linux') return () => performance.now();
  const [file, text] = [openSync(`/proc/${process.pid}/schedstat`, 'r'), Buffer.alloc(64)];
  return () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ')[0]) / 1e6;
}

/** Longest hold of the event loop since the last question. */
function watchLoop(): void {
  const clock = createClock();
  let [last, longest] = [clock(), 0];
  const look = (): void => {
    const now = clock();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(look, TICK_MS).unref();
  const path = loopSocketOf(process.pid);
  createServer((_request, response) => {
    look();
    response.end(String(longest));
    longest = 0;
  })
    .listen(path)
    .unref();
  process.on('exit', () => rmSync(path, { force: true }));
}

// Threads of a service load it too.
if (isMainThread) watchLoop();
