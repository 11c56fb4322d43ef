import { runKeepLess } from '../dist/index.js';

process.exitCode = await runKeepLess({
  environment: process.env,
  args: process.argv.slice(2),
  writeLine: (line) => process.stdout.write(`${line}\n`),
  writeError: (line) => process.stderr.write(`${line}\n`),
});
