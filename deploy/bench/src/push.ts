import { setTimeout as delay } from 'node:timers/promises';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { freePort } from '@najwa/dev/processes/ports';
import type { Step } from '@najwa/dev/reporter';
import {
  startPushService,
  type PushAnswer,
  type StandInBrowser,
  type StandInPushService,
  type TestAccount,
  type TestSystem,
} from '@najwa/testing';
import { newAccounts, type SystemBenchmark } from './benchmark.js';
import { atMost, type BenchResult } from './result.js';
import { percentile, rounded } from './statistics.js';

const SUBSCRIPTIONS = sizes({ full: 10_000, smoke: 20 });
const OF_ACCOUNT = 10;
const MESSAGES_AT_ONCE = 20;
const SETTLE_MS = sizes({ full: 5_000, smoke: 100 });
const RETRY_AFTER_SECONDS = sizes({ full: '5', smoke: '1' });
const CONTENT = 'رسالة صغيرة';
/** Longer than three refusals delay a notice. */
const GIVE_UP_MS = 10 * 60_000;

/** By share of browsers. The others get 201 at once. */
const FATES: { share: number; answers: () => PushAnswer[] }[] = [
  { share: 0.05, answers: () => [{ status: 404 }] },
  { share: 0.05, answers: () => [{ status: 410 }] },
  { share: 0.05, answers: () => [{ status: 429, retryAfter: RETRY_AFTER_SECONDS }] },
  { share: 0.05, answers: () => [{ status: 503 }] },
  { share: 0.02, answers: () => [{ status: 201, delayMs: 2_000 }] },
];

/** Of one in a hundred browsers, spread over accounts. */
function fateOf(index: number): PushAnswer[] {
  let from = 0;
  for (const { share, answers } of FATES) {
    from += share;
    if ((index * 37) % 100 < Math.round(from * 100)) return answers();
  }
  return [];
}

async function inParts<T>(items: readonly T[], size: number, handle: (item: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += size) await Promise.all(items.slice(from, from + size).map(handle));
}

async function subscribe(system: TestSystem, { cookie }: TestAccount, { subscription }: StandInBrowser): Promise<void> {
  const body = { subscription, kinds: ['message'] };
  const { status } = await system.request('POST', '/api/push/subscriptions', { cookie, body });
  if (status !== 201) throw new Error(`Subscribing failed with status ${status}.`);
}

const send = async (system: TestSystem, { id: userId }: TestAccount): Promise<number> => {
  const begun = performance.now();
  const { status } = await system.request('POST', '/api/messages', { body: { userId, content: CONTENT } });
  if (status !== 201) throw new Error(`Sending failed with status ${status}.`);
  return performance.now() - begun;
};

/** @returns milliseconds */
async function sendToAll(system: TestSystem, accounts: readonly TestAccount[]): Promise<number[]> {
  const times: number[] = [];
  await inParts(accounts, MESSAGES_AT_ONCE, async (account) => times.push(await send(system, account)));
  return times;
}

async function measure(system: TestSystem, service: StandInPushService, step: Step): Promise<BenchResult> {
  step.doing('registering accounts');
  const accounts = await newAccounts(system, SUBSCRIPTIONS / OF_ACCOUNT);
  const browsers = accounts.flatMap((account, index) =>
    Array.from({ length: OF_ACCOUNT }, (_, count) => {
      const answers = fateOf(index * OF_ACCOUNT + count);
      return { account, fate: answers[0]?.status, browser: service.newBrowser(...answers) };
    }),
  );
  step.doing('sending messages before anybody subscribes');
  // The first messages after a start are slower.
  await sendToAll(system, accounts.slice(0, MESSAGES_AT_ONCE));
  // Before the first subscription.
  const alone = await sendToAll(system, accounts);
  await inParts(accounts, MESSAGES_AT_ONCE, ({ cookie }) =>
    system.eventually(async () => {
      const { body } = await system.request('GET', '/api/notifications/count', { cookie });
      if ((body as { unread: number }).unread === 0) throw new Error('A notification is missing.');
    }),
  );
  await delay(SETTLE_MS);
  step.doing('subscribing');
  await inParts(browsers, MESSAGES_AT_ONCE, ({ account, browser }) => subscribe(system, account, browser));

  step.doing('sending messages, and waiting until all browsers are told');
  const begun = Date.now();
  const during = await sendToAll(system, accounts);
  const isNotified = ({ fate, browser: { received } }: (typeof browsers)[number]): boolean =>
    fate === 404 || fate === 410 ? received.length > 0 : received.some(({ status }) => status === 201);
  while (!browsers.every(isNotified) && Date.now() - begun < GIVE_UP_MS) await delay(250);

  const delivered = browsers.flatMap(({ browser: { received } }) => received.filter(({ status }) => status === 201));
  const last = Math.max(begun, ...delivered.map(({ at }) => at));
  const gone = browsers.filter(({ fate }) => fate === 404 || fate === 410);
  // Gone subscriptions must not be used again; others get one more notice.
  await sendToAll(system, accounts.slice(0, MESSAGES_AT_ONCE));
  await delay(SETTLE_MS);
  const counts = browsers.map(({ browser: { received } }) => received.filter(({ status }) => status === 201).length);
  return {
    bench: 'push',
    aims: {
      browsers_not_notified: atMost(browsers.filter((one) => !isNotified(one)).length, 0),
      browsers_notified_twice: atMost(
        counts.filter((count, index) => count > (index < MESSAGES_AT_ONCE * OF_ACCOUNT ? 2 : 1)).length,
        0,
      ),
      gone_browsers_asked_again: atMost(gone.filter(({ browser: { received } }) => received.length > 1).length, 0),
      requests_under_way_at_most: atMost(service.underWay.most, 16),
      message_p95_ratio: atMost(percentile(during, 95) / percentile(alone, 95), 2, 2),
    },
    subscriptions: browsers.length,
    seconds_until_all_were_notified: rounded((last - begun) / 1000, 1),
    notices_per_second: rounded((delivered.length * 1000) / (last - begun), 1),
    message_p50_ms: [alone, during].map((times) => rounded(percentile(times, 50), 1)),
  };
}

/** Delivery to many browsers by a push service that also fails, and its cost for sending. */
export const push: SystemBenchmark = {
  // Trusted from the start.
  needs: async () => ({ env: { PUSH_TRUSTED_ORIGINS: `http://127.0.0.1:${await freePort()}` } }),
  async run({ system, env, step }) {
    const { port } = new URL(env['PUSH_TRUSTED_ORIGINS'] ?? '');
    const service = await startPushService(Number(port));
    try {
      return await measure(system, service, step);
    } finally {
      await service.close();
    }
  },
};
