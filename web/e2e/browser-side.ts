import type { startTestSystem, TestSystem } from '@najwa/testing';
import type { Browser } from 'playwright-core';

/** Shared by the processes of a run. The Jest environment sets it in each suite. */
interface BrowserSide {
  system: TestSystem;
  /** For suites with settings of their own. */
  startSystem: typeof startTestSystem;
  /** Empty at the beginning of a run. */
  statesFolder: string;
  launch(options: { flags?: string[]; hasWindows?: boolean }): Promise<Browser>;
}

export const { browserSide } = globalThis as unknown as { browserSide: BrowserSide };
