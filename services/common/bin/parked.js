import { runParked } from '../dist/cli/parked.js';

process.exitCode = await runParked({
  environment: process.env,
  args: process.argv.slice(2),
  writeLine: (line) => process.stdout.write(`${line}\n`),
  writeError: (line) => process.stderr.write(`${line}\n`),
});
