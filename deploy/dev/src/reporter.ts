/** Ended by one of `done` and `fail`. */
export interface Step {
  /** Shown now and in later progress lines. */
  doing(what: string): void;
  /** Shown in later progress lines only. */
  progress(what: string): void;
  done(result?: string): void;
  fail(reason?: string): void;
}

/** Steps may run in parallel. */
export interface Reporter {
  step(name: string): Step;
  say(line: string): void;
}

/** For tests. */
export const silentReporter: Reporter = {
  step: () => ({ doing: () => undefined, progress: () => undefined, done: () => undefined, fail: () => undefined }),
  say: () => undefined,
};

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
