import { setTimeout as delay } from 'node:timers/promises';
import type { SystemPart } from '@najwa/dev/system';
import type { Condition, Line } from '@najwa/testing';
import { CLOCK_SIGNALS } from './clock.js';
import type { SmallDisk } from './disk.js';

const LATENCY_MS = 500;
/** Stopped for most of each period, like a server that waits for its disk. */
const SLOW = { periodMs: 500, standsStillMs: 450 };

export const SERVERS = ['mongo', 'amqp', 's3'] as const;
export type Server = (typeof SERVERS)[number];

/** Caller and callee for messages, pictures and pages. */
export const PAIRS = [
  ['gateway', 'auth'],
  ['gateway', 'messages'],
  ['gateway', 'media'],
  ['messages', 'auth'],
  ['messages', 'media'],
] as const;
export type Pair = (typeof PAIRS)[number];

/** 'go on': nothing is noticed by senders, or visitors of an unchanged page. 'wait': refusals until the fault ends. */
interface Expectation {
  sends: 'go on' | 'wait';
  visits: 'go on' | 'wait';
}

export interface Fault extends Expectation {
  name: string;
  /** Zero for a kill: the part restarts by itself. */
  milliseconds: number;
  begin: () => void | Promise<void>;
  end: () => void | Promise<void>;
}

/** While a part is down or unresponsive. */
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

export interface Means {
  signal: (part: Server | SystemPart, name: NodeJS.Signals) => void;
  toServer: (server: Server) => readonly Line[];
  between: (pair: Pair) => readonly Line[];
  /** Undefined if none could be made. */
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
