/** Reads a variable that the test run sets, such as the address of a server. */
export function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: run the tests through npm, which prepares the infrastructure.`);
  return value;
}
