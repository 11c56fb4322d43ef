import { createServer } from 'node:net';
import { SetupFault } from './lib/checkout.js';
import { buildWeb, checkNode, compileServices, installPackages } from './lib/prepare.js';
import { createReporter } from './lib/reporter.js';

function gatewayPort(text = '') {
  const port = Number(text || 8080);
  if (!/^\d{0,5}$/.test(text) || port < 1 || port > 65_535)
    throw new SetupFault('PORT must be a number from 1 to 65535.');
  return port;
}

async function refuseTakenPort(port) {
  await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', () =>
      reject(new SetupFault(`Port ${port} is in use: stop what uses it, or set PORT to another.`)),
    );
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(resolve));
  });
}

async function main() {
  const reporter = createReporter();
  const stopping = new AbortController();
  // Further signals change nothing: npm passes on what the terminal has sent already.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopping.abort());
  const { signal } = stopping;
  try {
    checkNode(reporter);
    const port = gatewayPort(process.env.PORT);
    await refuseTakenPort(port);
    await installPackages(reporter, signal);
    await compileServices(reporter, signal);
    await buildWeb(reporter, signal);
    const { start } = await import('../dist/cli/start.js');
    return await start({ reporter, port, signal });
  } catch (error) {
    if (signal.aborted) return 0;
    if (!(error instanceof SetupFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

process.exitCode = await main();
