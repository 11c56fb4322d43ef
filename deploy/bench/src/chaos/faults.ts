import { setTimeout as delay } from 'node:timers/promises';
import type { SystemPart } from '@najwa/dev/system';
import type { Condition, Line } from '@najwa/testing';
import { CLOCK_SIGNALS } from './clock.js';
import type { SmallDisk } from './disk.js';

const LATENCY_MS = 500;
/** A slow server stands still for most of each period, as one does that waits for its disk. */
const SLOW = { periodMs: 500, standsStillMs: 450 };

export const SERVERS = ['mongo', 'amqp', 's3'] as const;
export type Server = (typeof SERVERS)[number];

/** Callers and those whom they call on the way of a message, a picture or a page. */
export const PAIRS = [
  ['gateway', 'auth'],
  ['gateway', 'messages'],
  ['gateway', 'media'],
  ['messages', 'auth'],
  ['messages', 'media'],
] as const;
export type Pair = (typeof PAIRS)[number];

/** Those who send, or visit a page that did not change, must notice nothing, or may be refused until the fault is over. */
interface Expectation {
  sends: 'go on' | 'wait';
  visits: 'go on' | 'wait';
}

export interface Fault extends Expectation {
  name: string;
  /** Duration. Zero for a kill: the part starts again by itself. */
  milliseconds: number;
  begin: () => void | Promise<void>;
  end: () => void | Promise<void>;
}

/** Expectations while a part is down, or answers nobody. */
const WITHOUT: Readonly<Record<Server | SystemPart, Expectation>> = {
  mongo: { sends: 'wait', visits: 'go on' },
  amqp: { sends: 'go on', visits: 'go on' },
  s3: { sends: 'wait', visits: 'go on' },
  auth: { sends: 'wait', visits: 'go on' },
  messages: { sends: 'wait', visits: 'go on' },
  media: { sends: 'wait', visits: 'go on' },
  tracking: { sends: 'go on', visits: 'go on' },
  chatbot: { sends: 'go on', visits: 'go on' },
  admin: { sends: 'go on', visits: 'go on' },
  gateway: { sends: 'wait', visits: 'wait' },
  web: { sends: 'go on', visits: 'go on' },
};
const PARTS = ['auth', 'messages', 'media', 'tracking', 'chatbot', 'admin', 'gateway', 'web'] as const;
const WITH_CLOCKS = ['auth', 'messages', 'tracking', 'gateway'] as const;

/** Ways to make each fault. */
export interface Means {
  signal: (part: Server | SystemPart, name: NodeJS.Signals) => void;
  toServer: (server: Server) => readonly Line[];
  between: (pair: Pair) => readonly Line[];
  /** Undefined where no small disk could be made. */
  diskOf: (server: Server) => SmallDisk | undefined;
}

export function faultsOf({ signal, toServer, between, diskOf }: Means): Fault[] {
  const network = (way: string, expectation: Expectation, lines: readonly Line[]): Fault[] => {
    const become = (condition: Condition) => () => lines.forEach((line) => line.become(condition));
    const fault = (name: string, milliseconds: number, condition: Condition): Fault => ({
      name: `${name} ${way}`,
      milliseconds,
      ...expectation,
      begin: become(condition),
      end: become({ state: 'good' }),
    });
    return [
      fault(`${LATENCY_MS} ms more`, 8_000, { state: 'late', milliseconds: LATENCY_MS }),
      fault('silence', 8_000, { state: 'silent' }),
      fault('no connection', 5_000, { state: 'cut' }),
    ];
  };
  const slow = (server: Server): Fault => {
    let isSlow = false;
    const stumble = async (): Promise<void> => {
      while (isSlow) {
        signal(server, 'SIGSTOP');
        await delay(SLOW.standsStillMs);
        signal(server, 'SIGCONT');
        await delay(SLOW.periodMs - SLOW.standsStillMs);
      }
    };
    let stumbling = Promise.resolve();
    return {
      name: `slow ${server}`,
      milliseconds: 8_000,
      ...WITHOUT[server],
      begin() {
        isSlow = true;
        stumbling = stumble();
      },
      end() {
        isSlow = false;
        return stumbling;
      },
    };
  };
  const all = [...SERVERS, ...PARTS];
  return [
    ...all.map((part) => ({
      name: `kill ${part}`,
      milliseconds: 0,
      ...WITHOUT[part],
      begin: () => signal(part, 'SIGKILL'),
      end: () => undefined,
    })),
    ...all.map((part) => ({
      name: `pause ${part}`,
      milliseconds: 5_000,
      ...WITHOUT[part],
      begin: () => signal(part, 'SIGSTOP'),
      end: () => signal(part, 'SIGCONT'),
    })),
    ...SERVERS.flatMap((server) => network(`to ${server}`, WITHOUT[server], toServer(server))),
    ...PAIRS.flatMap((pair) => network(`from ${pair.join(' to ')}`, WITHOUT[pair[1]], between(pair))),
    ...SERVERS.map(slow),
    ...SERVERS.flatMap((server) => {
      const disk = diskOf(server);
      if (!disk) return [];
      return [
        { name: `full disk of ${server}`, milliseconds: 5_000, ...WITHOUT[server], begin: disk.fill, end: disk.free },
      ];
    }),
    ...WITH_CLOCKS.flatMap((part) =>
      Object.entries(CLOCK_SIGNALS).map(([name, milliseconds]) => ({
        name: `clock ${milliseconds > 0 ? 'ahead' : 'behind'} of ${part}`,
        milliseconds: 5_000,
        ...WITHOUT[part],
        begin: () => signal(part, name as keyof typeof CLOCK_SIGNALS),
        end: () => signal(part, name as keyof typeof CLOCK_SIGNALS),
      })),
    ),
  ];
}
