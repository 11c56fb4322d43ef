import { buildWeb, compileServices } from '../../dev/src/bootstrap/prepare.js';
import { createReporter } from '../../dev/src/bootstrap/reporter.js';

const ADDRESSES = ['MONGO_URL', 'AMQP_URL', 'S3_ENDPOINT', 'FFMPEG_BIN', 'NGINX_BIN'];

/**
 * Prepares the infrastructure of one Jest project, and compiles what its tests start: they never run an outdated build.
 * @param {{ startsSystem: boolean, needsBrowsers: boolean }} needs
 */
export async function prepare({ startsSystem, needsBrowsers }) {
  // npm test has prepared everything.
  if (process.env.NAJWA_TEST_LOGS) return;
  const needed = needsBrowsers ? [...ADDRESSES, 'CHROMIUM_BIN', 'CHROMIUM_SHELL_BIN', 'FIREFOX_BIN'] : ADDRESSES;
  const isProvided = needed.every((variable) => process.env[variable]);

  const reporter = createReporter(process.stderr);
  await compileServices(reporter);
  if (startsSystem) await buildWeb(reporter);
  if (isProvided) return;
  const { provideTestInfrastructure } = await import('../dist/runner/test-infrastructure.js');
  const infrastructure = await provideTestInfrastructure({ reporter, needsBrowsers });
  Object.assign(process.env, infrastructure.env);
  globalThis.najwaInfrastructure ??= [];
  globalThis.najwaInfrastructure.push(infrastructure);
}
