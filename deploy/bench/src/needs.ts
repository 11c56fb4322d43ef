import type { PartName } from '@najwa/dev/infrastructure';

export interface Needs {
  /** Of every service. */
  env?: Record<string, string>;
  /** Loaded heavily. Shared in a smoke. */
  ownParts?: readonly PartName[];
  /** On request. */
  collects?: boolean;
  /** Report holds. */
  watchesLoops?: boolean;
}

/**
 * Of all smokes, which share a system.
 * @throws for conflicting values of a variable
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
