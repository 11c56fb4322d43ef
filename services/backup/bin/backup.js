import { runBackup } from '../dist/index.js';

process.exitCode = await runBackup({
  environment: process.env,
  args: process.argv.slice(2),
  writeLine: (line) => process.stdout.write(`${line}\n`),
  writeError: (line) => process.stderr.write(`${line}\n`),
});
