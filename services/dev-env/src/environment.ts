/** Variables by name, such as those of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable. An empty one counts as unset. */
export function valueOf(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}
