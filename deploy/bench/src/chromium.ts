import { access } from 'node:fs/promises';
import { SetupError } from '@najwa/dev/bootstrap/environment';
import { succeeds } from '@najwa/dev/bootstrap/processes';
import { chromium, type Browser } from 'playwright-core';

export const CHROMIUM = process.env['CHROME_PATH'] ?? process.env['CHROMIUM_BIN'] ?? '/usr/bin/chromium';
export const CHROMIUM_FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];

export const hasChromium = (): Promise<boolean> => succeeds(access(CHROMIUM));

/** @throws {SetupError} */
export async function requireChromium(): Promise<void> {
  if (!(await hasChromium()))
    throw new SetupError(`There is no Chromium at ${CHROMIUM}: install it, or set CHROME_PATH.`);
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
