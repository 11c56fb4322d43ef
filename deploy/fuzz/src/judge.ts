import { checkoutRoot } from '@najwa/dev/bootstrap/environment';
import { ERRORS } from '@najwa/proto/http/client';
import { createOpenApiChecker } from '@najwa/testing';

/** Longest wait for an answer. */
export const PATIENCE_MS = 30_000;

export interface Answered {
  method: string;
  /** Path and query as they were sent. */
  path: string;
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty if the answer is not text. */
  text: string;
  milliseconds: number;
}

/** Counts answers, and collects what should not have happened. */
export interface Judge {
  readonly total: number;
  /** An answer of the HTTP API. @param kind the part of the run, such as `schemathesis as user` */
  answer(kind: string, answered: Answered): void;
  /** One more of a kind that is not HTTP, by its outcome. */
  count(kind: string, endpoint: string, outcome: string): void;
  /** A line of the table that is no count of answers. */
  note(line: string): void;
  /** @param what the same words for the same fault, which is listed once */
  fault(what: string, example?: string): void;
  faults(): string[];
  /** Answers, calls and events by kind. */
  kinds(): Record<string, number>;
  /** Lines of counts by kind, and by endpoint and status. */
  table(): string[];
}

/** Internals that no answer may show: stack traces, files, addresses and the words of our parts. */
const INTERNALS = new RegExp(
  [
    String.raw`\n\s+at \S`,
    String.raw`node_modules|node:internal|\.[jt]s:\d+`,
    String.raw`127\.0\.0\.1|localhost|\[::1\]|ECONN|ENOENT|EPIPE`,
    String.raw`\b(mongo|mongoose|mongodb|ferretdb|postgres|amqp|rabbitmq|minio|ffmpeg|libvips|sharp|grpc|busboy)\b`,
    String.raw`\bE11000|\bCast to |\bBSON|\bundefined\b|\[object `,
    checkoutRoot.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  ].join('|'),
  'i',
);

const isDeclaredRefusal = (status: number): boolean => status === 503 || status === 504;

/** @param secrets texts that must be in no answer, such as names of databases */
export function createJudge(secrets: readonly string[]): Judge {
  const checker = createOpenApiChecker();
  const faults = new Map<string, { count: number; example: string }>();
  const notes: string[] = [];
  const kinds = new Map<string, number>();
  const endpoints = new Map<string, Map<string, number>>();
  let total = 0;

  const count: Judge['count'] = (kind, endpoint, outcome) => {
    total += 1;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const outcomes = endpoints.get(endpoint) ?? new Map<string, number>();
    endpoints.set(endpoint, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
  };
  const fault: Judge['fault'] = (what, example = '') => {
    const known = faults.get(what);
    if (known) known.count += 1;
    else faults.set(what, { count: 1, example });
  };

  const problemOf = ({ method, path, status, headers, text }: Answered, isApi: boolean): string | undefined => {
    if (status >= 500 && !isDeclaredRefusal(status)) return 'a fault of ours';
    if (headers['x-powered-by'] !== undefined) return 'X-Powered-By';
    if (secrets.some((secret) => text.includes(secret))) return 'a secret in the answer';
    const type = String(headers['content-type'] ?? '');
    let body: unknown;
    if (type.startsWith('application/json')) {
      try {
        body = JSON.parse(text);
      } catch {
        return method === 'HEAD' ? undefined : 'not JSON, as its type says';
      }
    }
    if (status >= 400) {
      const leak = INTERNALS.exec(text)?.[0];
      if (leak !== undefined) return `internals in the answer: ${JSON.stringify(leak)}`;
      if (isApi && method !== 'HEAD') {
        const { message, code } = (body ?? {}) as { message?: unknown; code?: unknown };
        if (typeof message !== 'string' || typeof code !== 'string') return 'not of the form of an error';
        if (!Object.hasOwn(ERRORS, code)) return 'a code that no client knows';
        if (ERRORS[code as keyof typeof ERRORS].http !== status) return `the code ${code} with another status`;
      }
    }
    // The gateway refuses what is no request or no path of ours before it knows the call. A 304 is that of any GET.
    const { code: refusal } = (body ?? {}) as { code?: unknown };
    const isGeneral = (status === 400 && refusal === 'malformed') || (status === 404 && refusal === 'not_found');
    if (isGeneral || status === 304 || method === 'HEAD' || method === 'OPTIONS') return undefined;
    try {
      checker.check(method, path, { status, contentType: type || null, body });
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };

  return {
    get total() {
      return total;
    },
    count,
    note: (line) => void notes.push(line),
    fault,
    answer(kind, answered) {
      const { method, path, status, text, milliseconds } = answered;
      const template = checker.templateOf(path);
      const endpoint = `${method} ${template ?? 'another path'}`;
      count(kind, endpoint, String(status));
      const problem = problemOf(answered, path.startsWith('/api/'));
      if (problem !== undefined)
        fault(`${endpoint} ${status}: ${problem}`, `${kind}: ${path.slice(0, 300)} → ${text.slice(0, 300)}`);
      if (milliseconds > PATIENCE_MS) fault(`${endpoint}: more than ${PATIENCE_MS / 1000} seconds`, path.slice(0, 300));
    },
    faults: () => [...faults].map(([what, { count: times, example }]) => `${times} × ${what}\n    ${example}`),
    kinds: () => Object.fromEntries(kinds),
    table: () => [
      ...[...kinds].map(([kind, number]) => `${String(number).padStart(8)}  ${kind}`),
      ...[...endpoints]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([endpoint, outcomes]) => {
          const list = [...outcomes].sort(([a], [b]) => a.localeCompare(b)).map(([name, times]) => `${name}: ${times}`);
          return `${endpoint.padEnd(60)}  ${list.join(', ')}`;
        }),
      ...notes,
    ],
  };
}
