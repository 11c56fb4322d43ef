import type { PartName } from '@najwa/dev/infrastructure';

/** The system that a benchmark measures. */
export interface Needs {
  /** Variables of every service. */
  env?: Record<string, string>;
  /** Parts of the infrastructure that it loads so much that others would suffer. A smoke does not. */
  ownParts?: readonly PartName[];
  /** Services collect their garbage when they are asked to. */
  collects?: boolean;
  /** Services tell how long their event loops were held. */
  watchesLoops?: boolean;
}

/**
 * What the smokes need together, which share one system.
 * @throws if two need different values of a variable
 */
export function mergeNeeds(needs: ReadonlyMap<string, Needs>): Needs {
  const env: Record<string, string> = {};
  for (const [name, { env: own = {} }] of needs)
    for (const [variable, value] of Object.entries(own)) {
      if ((env[variable] ??= value) !== value)
        throw new Error(`${name} needs ${variable}=${value}, and another smoke ${env[variable]}: they share a system.`);
    }
  const all = [...needs.values()];
  return {
    env,
    collects: all.some(({ collects = false }) => collects),
    watchesLoops: all.some(({ watchesLoops = false }) => watchesLoops),
  };
}
