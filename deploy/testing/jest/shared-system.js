import { mkdirSync, mkdtempSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../../dev/src/bootstrap/processes.js';

/** Inherited by Jest's workers. */
const FOLDER = 'NAJWA_BROWSER_SIDE';

/** Starts while other suites run. */
const LONGEST_START_MS = 10 * 60_000;

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const announcementIn = (folder) => path.join(folder, 'side.json');
const statesIn = (folder) => path.join(folder, 'states');

/**
 * A browser per suite, driven from its own process: traffic to another process would be copied twice. The headless
 * shell does not draw the browser's interface.
 */
async function launch({ flags = [], hasWindows = false } = {}) {
  const { chromium } = await import('playwright-core');
  const executablePath = hasWindows ? process.env.CHROMIUM_BIN : process.env.CHROMIUM_SHELL_BIN;
  if (executablePath === undefined)
    throw new Error('No Chromium was found: run the tests through npm test, which installs it.');
  const args = [...FLAGS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...flags];
  return chromium.launch({ executablePath, args });
}

const startSystem = async () => (await import('../dist/test-bed/index.js')).startTestSystem();

let side;

/** Never half-written, and owner only: it holds a secret. */
async function announce(folder, announcement) {
  const draft = `${announcementIn(folder)}.draft`;
  await writeFile(draft, JSON.stringify(announcement), { mode: 0o600 });
  await rename(draft, announcementIn(folder));
}

/** Does not wait until it is ready. */
export function startBrowserSide() {
  const folder = mkdtempSync(path.join(tmpdir(), 'najwa-browser-'));
  mkdirSync(statesIn(folder));
  process.env[FOLDER] = folder;
  const system = startSystem();
  const announced = system
    .then(
      ({ url, adminSecret }) => ({ running: { url, adminSecret } }),
      (error) => ({ failure: String(error?.stack ?? error) }),
    )
    .then((announcement) => announce(folder, announcement));
  // Suites that wait for it fail.
  announced.catch(() => undefined);
  side = { folder, system, announced };
}

export async function stopBrowserSide() {
  if (side === undefined) return;
  const { folder, system, announced } = side;
  side = undefined;
  await announced.catch(() => undefined);
  await system.then(
    (started) => started.stop(),
    () => undefined,
  );
  await rm(folder, { recursive: true, force: true });
}

/** From any process. @throws if the system did not start */
export async function attachToBrowserSide() {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error("The browser tests need Jest's global set-up.");
  let text;
  await until(
    async () => {
      text = await readFile(announcementIn(folder), 'utf8').catch(() => undefined);
      return text !== undefined;
    },
    { timeoutMs: LONGEST_START_MS },
  );
  if (text === undefined) throw new Error('The system of the browser tests did not start in time.');
  const { failure, running } = JSON.parse(text);
  if (failure !== undefined) throw new Error(`The browser tests could not start: ${failure}`);
  const { attachTestSystem, startTestSystem } = await import('../dist/test-bed/index.js');
  return { system: attachTestSystem(running), startSystem: startTestSystem, statesFolder: statesIn(folder), launch };
}
