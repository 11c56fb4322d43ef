import type { Options, Scenario } from 'k6/options';
import { prepareLinks, type Link } from './lib/people.ts';
import { SETTINGS, type ScenarioName } from './lib/settings.ts';
import { admin as runAdmin, signInAdministrator } from './scenarios/admin.ts';
import { chat as runChat } from './scenarios/chat.ts';
import { journey as runJourney } from './scenarios/journey.ts';
import { visit as runVisit } from './scenarios/visit.ts';
import { voice as runVoice } from './scenarios/voice.ts';

interface Plan {
  /** Iterations of a smoke test. */
  smoke: number;
  /** Iterations a minute: where the arrivals begin, and their highest rate. */
  from: number;
  to: number;
  /** Virtual users that are ready, enough for the highest rate at the slowest allowed time. */
  users: number;
  /** 95th percentile of every request, in milliseconds. */
  p95: number;
}

/** Documented in README.md, with where the figures come from. */
const PLANS: Readonly<Record<ScenarioName, Plan>> = {
  visit: { smoke: 20, from: 60, to: 1800, users: 60, p95: 500 },
  journey: { smoke: 1, from: 6, to: 30, users: 20, p95: 1500 },
  voice: { smoke: 2, from: 2, to: 10, users: 10, p95: 20_000 },
  chat: { smoke: 4, from: 12, to: 120, users: 20, p95: 1500 },
  admin: { smoke: 1, from: 6, to: 30, users: 20, p95: 1500 },
};
const RAMP_UP = '20s';
const RAMP_DOWN = '5s';
const LINKS = { smoke: 2, load: 20 };

function scenarioOf(name: ScenarioName): Scenario {
  const { smoke, from, to, users } = PLANS[name];
  const common = { exec: name, gracefulStop: '60s' };
  if (SETTINGS.isSmoke)
    return { ...common, executor: 'shared-iterations', vus: 1, iterations: smoke, maxDuration: '2m' };
  const peak = Math.max(1, Math.round(to * SETTINGS.scale));
  return {
    ...common,
    executor: 'ramping-arrival-rate',
    timeUnit: '1m',
    startRate: Math.max(1, Math.round(from * SETTINGS.scale)),
    preAllocatedVUs: Math.ceil(users * Math.max(1, SETTINGS.scale)),
    stages: [
      { duration: RAMP_UP, target: peak },
      { duration: `${SETTINGS.plateau}s`, target: peak },
      { duration: RAMP_DOWN, target: 0 },
    ],
  };
}

export const options: Options = {
  scenarios: Object.fromEntries(SETTINGS.scenarios.map((name) => [name, scenarioOf(name)])),
  thresholds: {
    checks: ['rate==1'],
    http_req_failed: ['rate==0'],
    messages_lost: ['count==0'],
    messages_doubled: ['count==0'],
    // Arrivals without a free virtual user: the deployment was too slow for the load that was meant.
    dropped_iterations: ['count==0'],
    // A smoke test says whether it works, and not how fast.
    ...(!SETTINGS.isSmoke &&
      SETTINGS.hasTimes &&
      Object.fromEntries(
        SETTINGS.scenarios.map((name) => [`http_req_duration{scenario:${name}}`, [`p(95)<${PLANS[name].p95}`]]),
      )),
  },
  setupTimeout: '3m',
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
};

interface Prepared {
  links: Link[];
  /** Cookie of an administrator. Empty if no scenario needs one. */
  administrator: string;
}

export function setup(): Prepared {
  return {
    links: prepareLinks(SETTINGS.isSmoke ? LINKS.smoke : LINKS.load),
    administrator: SETTINGS.scenarios.includes('admin') ? signInAdministrator() : '',
  };
}

export const visit = ({ links }: Prepared): void => runVisit(links);
export const journey = ({ links }: Prepared): void => runJourney(links);
export const voice = ({ links }: Prepared): void => runVoice(links);
export const chat = (): void => runChat();
export const admin = ({ links, administrator }: Prepared): void => runAdmin(links, administrator);
