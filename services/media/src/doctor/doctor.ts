import { setTimeout as delay } from 'node:timers/promises';
import { amqpEnvironment, httpUrl, mongoUrl, type Environment } from '@najwa/common/config';
import { z } from 'zod';
import { Problem, type Checks } from './checks.js';
import { checkFfmpeg, checkMachine } from './machine.js';
import { checkMongodb } from './mongodb.js';
import { checkRabbitmq } from './rabbitmq.js';
import { checkStore } from './s3.js';

export interface DoctorCommand {
  environment: Environment;
  /** Addresses that override the environment. */
  args: readonly string[];
  /** Begins a report line, which one of its functions ends. */
  step: (title: string) => { done: (text: string) => void; fail: (text: string) => void };
  writeLine: (line: string) => void;
  /** Aborts; written data is still removed. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Under a minute together, even if a server hangs. */
const TIMEOUT_MS = 45_000;
const SETTLE_MS = 3_000;
const CLEANUP_MS = 8_000;

const USAGE = `Usage: npm run doctor [-- ADDRESS …]
       mongodb://USER:PASSWORD@HOST  amqp://USER:PASSWORD@HOST  https://KEY:SECRET@HOST  /path/of/ffmpeg
       Those that are missing are taken from MONGO_URL, AMQP_URL, S3_ENDPOINT with its keys, and FFMPEG_BIN.`;

interface Server {
  variables: [first: string, ...others: string[]];
  /** Of the first variable. */
  format: z.ZodType;
  run: (variables: Record<string, string>, checks: Checks) => Promise<void>;
}

const SERVERS: Readonly<Record<string, Server>> = {
  MongoDB: {
    variables: ['MONGO_URL'],
    format: mongoUrl,
    run: ({ MONGO_URL = '' }, checks) => checkMongodb(MONGO_URL, checks),
  },
  RabbitMQ: {
    variables: ['AMQP_URL'],
    format: amqpEnvironment.AMQP_URL,
    run: ({ AMQP_URL = '' }, checks) => checkRabbitmq(AMQP_URL, checks),
  },
  Store: {
    variables: ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'],
    format: httpUrl,
    run: ({ S3_ENDPOINT = '', S3_ACCESS_KEY = '', S3_SECRET_KEY = '', S3_BUCKET = 'najwa-media' }, checks) =>
      checkStore(
        { endpoint: S3_ENDPOINT, accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY, bucket: S3_BUCKET },
        checks,
      ),
  },
  ffmpeg: {
    variables: ['FFMPEG_BIN'],
    format: z.string(),
    run: ({ FFMPEG_BIN = '', PATH = '' }, checks) => checkFfmpeg({ program: FFMPEG_BIN, path: PATH }, checks),
  },
};

/** @returns the exit status */
export async function runDoctor({
  environment,
  args,
  step,
  writeLine,
  signal,
  timeoutMs = TIMEOUT_MS,
}: DoctorCommand): Promise<number> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value) variables[name] = value;
  for (const arg of args) {
    const named = variablesOf(arg);
    if (named === undefined) {
      writeLine(USAGE);
      return 2;
    }
    Object.assign(variables, named);
  }
  const ending = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  const failed: string[] = [];

  const check: Checks['check'] = async (title, work, explain = () => undefined) => {
    ending.throwIfAborted();
    const line = step(title);
    const working = work();
    try {
      line.done(`ok, ${await endedBy(ending, working)}`);
      return true;
    } catch (error) {
      // A running check could write after the cleanup.
      if (ending.aborted) await Promise.race([working.catch(() => undefined), delay(SETTLE_MS)]);
      failed.push(title);
      line.fail(sentenceOf(error as Error, explain));
      return false;
    }
  };
  const checks: Checks = { check, signal: ending };

  const checkServer = async (title: string, { variables: names, format, run }: Server): Promise<void> => {
    const [first] = names;
    if (!variables[first]) return step(title).done(`${first} is not set: npm start brings its own`);
    const missing = names.filter((name) => !variables[name]);
    const { error } = format.safeParse(variables[first]);
    const fault = missing.length > 0 ? `${first} is set, but not ${missing.join(' and ')}.` : error?.issues[0]?.message;
    if (fault !== undefined)
      await check(title, () => Promise.reject(new Problem(missing.length > 0 ? fault : `${first} ${fault}.`)));
    else await run(variables, checks);
  };

  const running = Promise.allSettled([
    checkMachine(checks),
    ...Object.entries(SERVERS).map(([title, server]) => checkServer(title, server)),
  ]);
  const results = await endedBy(ending, running).catch(() =>
    Promise.race([running, delay(SETTLE_MS + CLEANUP_MS, undefined, { ref: false })]),
  );
  for (const result of results ?? [])
    if (result.status === 'rejected' && !ending.aborted) {
      failed.push('cleaning up');
      writeLine(`Something that was written to try it may be left: ${(result.reason as Error).message}`);
    }
  writeLine(failed.length === 0 ? 'All of this will do.' : `This will not do: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
}

/** @returns undefined unless it is an address */
function variablesOf(arg: string): Record<string, string> | undefined {
  if (arg.startsWith('-')) return undefined;
  if (/^mongodb(\+srv)?:/.test(arg)) return { MONGO_URL: arg };
  if (/^amqps?:/.test(arg)) return { AMQP_URL: arg };
  if (!/^https?:/.test(arg)) return { FFMPEG_BIN: arg };
  if (!URL.canParse(arg)) return undefined;
  const url = new URL(arg);
  const [S3_ACCESS_KEY, S3_SECRET_KEY] = [url.username, url.password].map(decodeURIComponent) as [string, string];
  return { S3_ENDPOINT: url.origin, S3_ACCESS_KEY, S3_SECRET_KEY };
}

const endedBy = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });

function sentenceOf(error: Error, explain: (error: Error) => string | undefined): string {
  if (error instanceof Problem) return error.message;
  if (error.name === 'TimeoutError') return 'It did not answer in time: it hangs, or this machine is too busy.';
  if (error.name === 'AbortError') return 'Not finished.';
  return explain(error) ?? error.message;
}
