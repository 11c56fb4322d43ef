import { startWebServer } from './server.js';

const { HOST = '127.0.0.1', PORT = '0', WEB_ROOT = '', WEB_COPY = '' } = process.env;
const server = await startWebServer({ host: HOST, port: Number(PORT), root: WEB_ROOT, copy: WEB_COPY });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close());
