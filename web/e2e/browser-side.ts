import type { startTestSystem, TestSystem } from '@najwa/testing';
import type { Browser } from 'playwright-core';

/** What the processes of a run share. The Jest environment gives it to each suite. */
interface BrowserSide {
  system: TestSystem;
  /** For suites that need settings of their own. */
  startSystem: typeof startTestSystem;
  /** An empty folder at the beginning of a run. */
  statesFolder: string;
  /** Connects to the browser that all suites share. */
  connect(): Promise<Browser>;
  /** Starts a browser for one suite. */
  launch(flags: string[]): Promise<Browser>;
}

export const { browserSide } = globalThis as unknown as { browserSide: BrowserSide };
