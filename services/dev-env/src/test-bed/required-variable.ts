/** Address of a part of the infrastructure, which the run of the tests put into the environment. */
export function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: run the tests through npm, which prepares the infrastructure.`);
  return value;
}
