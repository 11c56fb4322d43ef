import { mkdirSync, mkdtempSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../../dev/src/bootstrap/processes.js';

/** Names the folder through which the processes of a run find the system and the browser. Jest's workers inherit it. */
const FOLDER = 'NAJWA_BROWSER_SIDE';

/** Both start while other suites run, on a machine that may be busy. */
const LONGEST_START_MS = 10 * 60_000;

/**
 * Playwright's own list, since the last one counts, and the first: every window loads a page of the browser's own interface
 * ahead, which took a fifth of the processor time of the tests.
 */
const DISABLED_FEATURES = [
  'InitialWebUI',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'WebUIReloadButton',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

const FLAGS = [
  `--disable-features=${DISABLED_FEATURES.join()}`,
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const announcementIn = (folder) => path.join(folder, 'side.json');
const statesIn = (folder) => path.join(folder, 'states');

function launchOptions(flags = []) {
  const executablePath = process.env.CHROMIUM_BIN;
  if (executablePath === undefined)
    throw new Error('No Chromium was found: run the tests through npm test, which installs it.');
  return { executablePath, args: [...FLAGS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...flags] };
}

const startSystem = async () => (await import('../dist/test-bed/index.js')).startTestSystem();

async function startBrowser() {
  const { chromium } = await import('playwright-core');
  return chromium.launchServer({ host: '127.0.0.1', ...launchOptions() });
}

let side;

/** Other processes never see a half-written file, and only this user reads the secret in it. */
async function announce(folder, announcement) {
  const draft = `${announcementIn(folder)}.draft`;
  await writeFile(draft, JSON.stringify(announcement), { mode: 0o600 });
  await rename(draft, announcementIn(folder));
}

/** Starts the system and the browser that all browser suites of a run share. Does not wait until they are ready. */
export function startBrowserSide() {
  const folder = mkdtempSync(path.join(tmpdir(), 'najwa-browser-'));
  mkdirSync(statesIn(folder));
  process.env[FOLDER] = folder;
  const system = startSystem();
  const browser = startBrowser();
  const announced = Promise.all([system, browser])
    .then(
      ([{ url, adminSecret }, server]) => ({ running: { url, adminSecret }, webSocket: server.wsEndpoint() }),
      (error) => ({ failure: String(error?.stack ?? error) }),
    )
    .then((announcement) => announce(folder, announcement));
  // Suites that wait for it fail then, and say so.
  announced.catch(() => undefined);
  side = { folder, system, browser, announced };
}

export async function stopBrowserSide() {
  if (side === undefined) return;
  const { folder, system, browser, announced } = side;
  side = undefined;
  await announced.catch(() => undefined);
  const [started, server] = await Promise.allSettled([system, browser]);
  await server.value?.close();
  await started.value?.stop();
  await rm(folder, { recursive: true, force: true });
}

/** What a suite gets, in whichever process it runs. @throws when system or browser did not start */
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
  if (text === undefined) throw new Error('The system and the browser of the browser tests did not start in time.');
  const { failure, running, webSocket } = JSON.parse(text);
  if (failure !== undefined) throw new Error(`The browser tests could not start: ${failure}`);
  const [{ attachTestSystem, startTestSystem }, { chromium }] = await Promise.all([
    import('../dist/test-bed/index.js'),
    import('playwright-core'),
  ]);
  return {
    system: attachTestSystem(running),
    startSystem: startTestSystem,
    statesFolder: statesIn(folder),
    connect: () => chromium.connect(webSocket),
    launch: (flags) => chromium.launch(launchOptions(flags)),
  };
}
