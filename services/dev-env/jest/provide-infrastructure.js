import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ADDRESSES = ['MONGO_URL', 'AMQP_URL', 'S3_ENDPOINT', 'FFMPEG_BIN'];

/** The whole run of `npm test` brings its own; a single run of Jest gets one here. */
export default async function provide() {
  if (ADDRESSES.every((name) => process.env[name])) return;
  const { provideInfrastructure, silentReporter } = await import('@najwa/dev-env');
  const dataDir = await mkdtemp(path.join(tmpdir(), 'najwa-test-'));
  const infrastructure = await provideInfrastructure({ dataDir, reporter: silentReporter, persistent: false });
  Object.assign(process.env, infrastructure.env);
  globalThis.najwaInfrastructure = { infrastructure, dataDir };
}
