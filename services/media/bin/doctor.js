// The checks of npm run doctor in a container of media's image, which reaches every store and has ffmpeg.
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
// A connection to a server that hangs may be open.
process.exit(status);
