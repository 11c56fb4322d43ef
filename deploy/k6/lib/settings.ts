import { fail } from 'k6';

/** An empty variable counts as unset. */
const variable = (name: string): string | undefined => (__ENV[name] === '' ? undefined : __ENV[name]);

/** Reads a number above zero. */
function positive(name: string, fallback: number): number {
  const text = variable(name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!(value > 0)) fail(`${name} must be a number above 0.`);
  return value;
}

/** Scenarios that can run, each alone or together with others. */
export const SCENARIO_NAMES = ['visit', 'journey', 'voice', 'chat', 'admin'] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

const isScenario = (name: string): name is ScenarioName => (SCENARIO_NAMES as readonly string[]).includes(name);

function chosenScenarios(): ScenarioName[] {
  const names = (variable('NAJWA_SCENARIOS') ?? 'visit').split(',');
  return names.map((name) => (isScenario(name) ? name : fail(`Unknown scenario "${name}".`)));
}

/** Settings from the environment. `npm run load` sets them from its options. */
export const SETTINGS = {
  /** Without a trailing slash. Used in turn. */
  addresses: (variable('NAJWA_ADDRESS') ?? 'http://localhost:8080').split(',').map((url) => url.replace(/\/+$/, '')),
  scenarios: chosenScenarios(),
  /** Runs each scenario a few times, within the default rate limits. */
  isSmoke: variable('NAJWA_SMOKE') === '1',
  /** True if slow answers fail the run. */
  hasTimes: variable('NAJWA_TIMES') !== '0',
  /** Multiplies the arrivals of every scenario. */
  scale: positive('NAJWA_SCALE', 1),
  /** Seconds at the highest rate. */
  plateau: positive('NAJWA_PLATEAU', 30),
  adminSecret: variable('ADMIN_SECRET'),
  adminUsername: variable('ADMIN_USERNAME'),
  adminPassword: variable('ADMIN_PASSWORD'),
};
