import type { PartName } from '@najwa/dev-env';

/** The system that a benchmark measures. */
export interface Needs {
  /** Variables of every service. */
  env?: Record<string, string>;
  /** Parts of the infrastructure that it loads so much that others would suffer. A smoke does not. */
  ownParts?: readonly PartName[];
  /** Services collect their garbage when they are asked to. */
  collects?: boolean;
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
  return { env, collects: [...needs.values()].some(({ collects = false }) => collects) };
}
