/** Work in progress. Exactly one of `done` and `fail` ends it. */
export interface Step {
  /** Says the current activity now, and in the next progress lines. */
  doing(what: string): void;
  /** Sets what the next progress lines say, for what changes too often for a line each. */
  progress(what: string): void;
  done(result?: string): void;
  fail(reason?: string): void;
}

/** Reports progress of the set-up. Steps may run in parallel. */
export interface Reporter {
  step(name: string): Step;
  say(line: string): void;
}

/** Reports nothing, for set-up inside tests. */
export const silentReporter: Reporter = {
  step: () => ({ doing: () => undefined, progress: () => undefined, done: () => undefined, fail: () => undefined }),
  say: () => undefined,
};

/** Runs `work` as a step, which ends as the work does. */
export async function asStep<Result>(
  reporter: Reporter,
  name: string,
  work: (step: Step) => Promise<Result>,
  result?: (value: Result) => string,
): Promise<Result> {
  const step = reporter.step(name);
  try {
    const value = await work(step);
    step.done(result?.(value));
    return value;
  } catch (error) {
    step.fail();
    throw error;
  }
}
