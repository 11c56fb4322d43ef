// Runs npm run doctor in media's image, which has ffmpeg and reaches every store.
import { runDoctor } from '../dist/doctor/doctor.js';

const writeLine = (line) => process.stdout.write(`${line}\n`);
const writeResult = (title) => (text) => writeLine(`${title}: ${text}`);
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

const status = await runDoctor({
  environment: process.env,
  args: process.argv.slice(2),
  step: (title) => ({ done: writeResult(title), fail: writeResult(title) }),
  writeLine,
  signal: stopping.signal,
});
// A connection to a hanging server may be open.
process.exit(status);
