/** Set by the test run. */
export function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: run the tests through npm, which prepares the infrastructure.`);
  return value;
}

/** Of gateways that tests start themselves. */
export const chosenShell = (): Record<string, string> => {
  const { GATEWAY_SHELL } = process.env;
  return GATEWAY_SHELL === undefined ? {} : { GATEWAY_SHELL };
};
