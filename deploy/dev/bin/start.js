import { createServer } from 'node:net';
import { SetupError } from '../src/bootstrap/environment.js';
import { buildWeb, compileServices, installPackages, runCommand } from '../src/bootstrap/prepare.js';

function gatewayPort(text = '') {
  const port = Number(text || 8080);
  if (!/^\d{0,5}$/.test(text) || port < 1 || port > 65_535)
    throw new SetupError('PORT must be a number from 1 to 65535.');
  return port;
}

async function refuseTakenPort(port) {
  await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', () => reject(new SetupError(`Port ${port} is in use. Stop the other program, or set PORT.`)));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(resolve));
  });
}

await runCommand(
  async ({ reporter, signal }) => {
    const port = gatewayPort(process.env.PORT);
    await refuseTakenPort(port);
    await installPackages(reporter, signal);
    await compileServices(reporter);
    const web = buildWeb(reporter, signal);
    // The infrastructure, prepared at the same time, may fail first.
    web.catch(() => undefined);
    const { start } = await import('../dist/start.js');
    return start({ reporter, port, web, signal });
  },
  { statusWhenStopped: 0 },
);
