/** Reads a variable that the test run sets, such as the address of a server. */
export function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: run the tests through npm, which prepares the infrastructure.`);
  return value;
}

/** The shell of gateways that tests start, where the test run chooses one. A system that is started gets it by itself. */
export const chosenShell = (): Record<string, string> => {
  const { GATEWAY_SHELL } = process.env;
  return GATEWAY_SHELL === undefined ? {} : { GATEWAY_SHELL };
};
