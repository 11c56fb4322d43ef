import { randomUUID } from 'node:crypto';
import { request, type ClientRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@najwa/dev/bootstrap/processes';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { processesByService, type TestAccount, type TestSystem } from '@najwa/testing';
import { newAccounts, type SystemBenchmark } from './benchmark.js';
import { atPace } from './load.js';
import { atMost } from './result.js';
import { percentile, rounded } from './statistics.js';

const STREAMS = sizes({ full: 10_000, smoke: 20 });
const IDLE_ACCOUNTS = sizes({ full: 20, smoke: 1 });
const ACTIVE_ACCOUNTS = sizes({ full: 50, smoke: 1 });
const OPENED_AT_ONCE = sizes({ full: 50, smoke: 10 });
const MESSAGES_PER_SECOND = sizes({ full: 200, smoke: 20 });
const SECONDS = sizes({ full: 20, smoke: 0.5 });
const SETTLE_MS = sizes({ full: 5_000, smoke: 100 });
/** Later events count as missing. */
const LATE_MS = sizes({ full: 10_000, smoke: 60_000 });
const PATH = '/api/notifications/stream';
const CONTENT = 'رسالة صغيرة';

interface Stream {
  opened: Promise<void>;
  close: () => void;
}

/** @param onEvent gets name, data and time of arrival */
function openStream(
  { url }: TestSystem,
  { cookie }: TestAccount,
  onEvent: (event: string, data: string, at: number) => void = () => undefined,
): Stream {
  let call: ClientRequest | undefined;
  const opened = new Promise<void>((resolve, reject) => {
    call = request(`${url}${PATH}`, { agent: false, headers: { cookie } }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(`A stream was refused with status ${response.statusCode}.`));
        return;
      }
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const blocks = (text + chunk).split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, event, data] = /^event: (\w+)\n(?:id: \d+\n)?data: (.*)$/.exec(block) ?? [];
          if (event === 'count') resolve();
          if (event !== undefined && data !== undefined) onEvent(event, data, performance.now());
        }
      });
      response.on('error', () => undefined);
    });
    call.on('error', reject);
    call.end();
  });
  return { opened, close: () => call?.destroy() };
}

const gatewayKilobytes = async (): Promise<number> =>
  ((await processesByService())['gateway']?.megabytes ?? Number.NaN) * 1024;

/** Never written to. */
async function openIdle(system: TestSystem, accounts: TestAccount[], count: number): Promise<Stream[]> {
  const streams: Stream[] = [];
  while (streams.length < count) {
    const batch = Array.from({ length: Math.min(OPENED_AT_ONCE, count - streams.length) }, (_, index) => {
      const account = accounts[(streams.length + index) % accounts.length];
      if (account === undefined) throw new Error('There are no accounts.');
      return openStream(system, account);
    });
    await Promise.all(batch.map(({ opened }) => opened));
    streams.push(...batch);
  }
  return streams;
}

/** At a steady rate. @returns milliseconds from a message's answer to each of its two events */
async function measureArrival(system: TestSystem, accounts: TestAccount[]) {
  const answered = new Map<number, number>();
  const arrived = { message: new Map<number, number>(), notification: new Map<number, number>() };
  const streams = accounts.map((account) =>
    openStream(system, account, (event, data, at) => {
      if (event === 'message') arrived.message.set((JSON.parse(data) as { messageId: number }).messageId, at);
      if (event === 'notification')
        arrived.notification.set((JSON.parse(data) as { subject: { messageId: number } }).subject.messageId, at);
    }),
  );
  await Promise.all(streams.map(({ opened }) => opened));
  let [sent, refused] = [0, 0];
  const begun = performance.now();
  await atPace(MESSAGES_PER_SECOND, begun + SECONDS * 1000, async () => {
    const { id: userId = 0 } = accounts[(sent += 1) % accounts.length] ?? {};
    const headers = { 'idempotency-key': randomUUID() };
    const { status, body } = await system.request('POST', '/api/messages', {
      body: { userId, content: CONTENT },
      headers,
    });
    if (status === 201) answered.set((body as { id: number }).id, performance.now());
    else refused += 1;
  });
  const seconds = (performance.now() - begun) / 1000;
  const hasAll = (events: Map<number, number>): boolean => [...answered.keys()].every((id) => events.has(id));
  const isOver = (): boolean => hasAll(arrived.message) && hasAll(arrived.notification);
  await until(isOver, { timeoutMs: LATE_MS, intervalMs: 100 });
  for (const { close } of streams) close();
  // An event may overtake the answer.
  const times = (events: Map<number, number>) =>
    [...answered].map(([id, at]) => Math.max(0, (events.get(id) ?? Infinity) - at));
  return { messages: times(arrived.message), notifications: times(arrived.notification), refused, seconds };
}

/** Memory of idle streams, and latency of events under load. */
export const streams: SystemBenchmark = {
  needs: () => ({}),
  async run({ system, step }) {
    step.doing('registering accounts');
    const [idle, active] = [await newAccounts(system, IDLE_ACCOUNTS), await newAccounts(system, ACTIVE_ACCOUNTS)];
    step.doing('opening idle streams');
    // Excludes what the first streams load.
    const first = await openIdle(system, idle, OPENED_AT_ONCE);
    await delay(SETTLE_MS);
    const before = await gatewayKilobytes();
    const others = await openIdle(system, idle, STREAMS);
    await delay(SETTLE_MS);
    const after = await gatewayKilobytes();
    step.doing('sending messages');
    const { messages, notifications, refused, seconds } = await measureArrival(system, active);
    for (const { close } of [...first, ...others]) close();
    const missing = (times: number[]): number => times.filter((time) => time === Infinity).length;
    return {
      bench: 'streams',
      aims: {
        kilobytes_per_idle_stream: atMost((after - before) / STREAMS, 30, 1),
        message_event_p99_ms: atMost(percentile(messages, 99), 1000, 1),
        notification_p99_ms: atMost(percentile(notifications, 99), 1000, 1),
        events_missing: atMost(missing(messages) + missing(notifications), 0),
      },
      idle_streams: STREAMS,
      gateway_megabytes: [before, after].map((kilobytes) => rounded(kilobytes / 1024, 0)),
      message_event_p50_ms: rounded(percentile(messages, 50), 1),
      notification_p50_ms: rounded(percentile(notifications, 50), 1),
      messages: messages.length,
      messages_refused: refused,
      messages_per_second: rounded(messages.length / seconds, 1),
    };
  },
};
