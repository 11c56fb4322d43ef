import { startWebServer } from './server.js';

const { HOST = '127.0.0.1', PORT = '0', WEB_ROOT = '' } = process.env;
const server = await startWebServer({ host: HOST, port: Number(PORT), root: WEB_ROOT });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close());
