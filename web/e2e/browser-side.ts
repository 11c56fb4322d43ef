import type { startTestSystem, TestSystem } from '@najwa/testing';
import type { Browser } from 'playwright-core';

/** What the processes of a run share. The Jest environment gives it to each suite. */
interface BrowserSide {
  system: TestSystem;
  /** For suites that need settings of their own. */
  startSystem: typeof startTestSystem;
  /** An empty folder at the beginning of a run. */
  statesFolder: string;
  /** Starts a browser for one suite. */
  launch(options: { flags?: string[]; hasWindows?: boolean }): Promise<Browser>;
}

export const { browserSide } = globalThis as unknown as { browserSide: BrowserSide };
