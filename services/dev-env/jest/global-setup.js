import { buildWeb, compileServices } from '../src/bootstrap/prepare.js';
import { createReporter } from '../src/bootstrap/reporter.js';

const ADDRESSES = ['MONGO_URL', 'AMQP_URL', 'S3_ENDPOINT', 'FFMPEG_BIN'];

/**
 * Prepares the infrastructure of one Jest project. Jest calls it only for projects with selected tests. It compiles
 * everything the tests start, so tests never run an outdated build.
 */
export default async function setUp(_global, { displayName }) {
  // npm test prepares everything once for the whole run.
  if (process.env.NAJWA_TEST_LOGS) return;
  const needsBrowsers = displayName.name === 'browser';
  const startsSystem = needsBrowsers || displayName.name === 'journeys';
  const needed = needsBrowsers ? [...ADDRESSES, 'CHROMIUM_BIN', 'FIREFOX_BIN'] : ADDRESSES;
  const isProvided = needed.every((name) => process.env[name]);
  if (isProvided && !startsSystem) return;

  const reporter = createReporter(process.stderr);
  await compileServices(reporter);
  if (startsSystem) await buildWeb(reporter);
  if (isProvided) return;
  const { provideTestInfrastructure } = await import('../dist/cli/test-infrastructure.js');
  const infrastructure = await provideTestInfrastructure({ reporter, needsBrowsers });
  Object.assign(process.env, infrastructure.env);
  globalThis.najwaInfrastructure ??= [];
  globalThis.najwaInfrastructure.push(infrastructure);
}
