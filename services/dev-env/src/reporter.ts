/** One piece of work that is under way. Exactly one of `done` and `fail` ends it. */
export interface Step {
  /** What it is doing now, for the next progress line. */
  doing(what: string): void;
  done(result?: string): void;
  fail(reason?: string): void;
}

/** Where set-up says what it does. Steps may run side by side. */
export interface Reporter {
  step(name: string): Step;
  say(line: string): void;
}

/** Says nothing, for set-up inside tests. */
export const silentReporter: Reporter = {
  step: () => ({ doing: () => undefined, done: () => undefined, fail: () => undefined }),
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
