import { startWebServer } from './server.js';

const { HOST = '127.0.0.1', PORT = '0', WEB_ROOT, WEB_COPY } = process.env;
if (!WEB_ROOT || !WEB_COPY) throw new Error('WEB_ROOT and WEB_COPY must name folders.');
const server = await startWebServer({ host: HOST, port: Number(PORT), root: WEB_ROOT, copy: WEB_COPY });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close());
