import { openSync, readSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { loopSocketOf } from './processes.js';

const TICK_MS = 1;

/**
 * The processor time of the main thread, which the event loop runs on, in milliseconds. Real time would count what else the machine does.
 * Only Linux tells it of one thread; elsewhere it is the real time.
 */
function createClock(): () => number {
  if (process.platform !== 'linux') return () => performance.now();
  const [file, text] = [openSync(`/proc/${process.pid}/schedstat`, 'r'), Buffer.alloc(64)];
  return () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ')[0]) / 1e6;
}

/** Answers each question with the longest time for which the event loop was held since the last one. */
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

// Loaded into a service, and into each of its threads, which answer nobody.
if (isMainThread) watchLoop();
