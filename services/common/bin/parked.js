import { runParked } from '../dist/cli/parked.js';

process.exitCode = await runParked({
  environment: process.env,
  args: process.argv.slice(2),
  say: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
});
