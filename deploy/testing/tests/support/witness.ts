import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect } from '@jest/globals';
import { Metrics } from '@najwa/common/metrics';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { startWebServer, type WebServer } from '@najwa/dev/web-server/server';
import { API_SERVICES, type Role } from '@najwa/proto/http/client';
import {
  buildMessage,
  callsThrough,
  eventually,
  makeTestFolder,
  PASSWORD,
  PIXEL,
  readSample,
  startPushService,
  startReplica,
  startTestBed,
  takeClock,
  type SentMessage,
  type StandInBrowser,
  type StandInPushService,
  type TestBed,
  type TestClock,
} from '@najwa/testing';
import type { Connection } from 'mongoose';
import { documentedOperations, ROWS, rolesOf } from './operations.js';
import { Names, RANGES, type Observed } from './views.js';
import { newPerson, newStaff, registerAs, signIn, type Person, type Site, type Thing, type World } from './world.js';

/**
 * Two worlds that differ in one secret must look the same to all who must not know it, in everything that the contract
 * offers. New operations are covered without a change here.
 */

/** Longer than any grid, limit or delay of the product, so that each time identifies its step. */
const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = 3 * HOUR_MS;
const ABSENT_ID = 2_000_000_000;
const ABSENT_UUID = '00000000-0000-4000-8000-000000000000';
export const WORD = 'مرجان';

/** Slowdown of real time for the gateway's caches. */
const SLOWER = 20;

/** The level of pino that production logs. */
const INFO = 30;

/** In the order in which they look: the owner last, since its reading is a secret. */
const OBSERVERS = {
  anybody: 'visitor',
  stranger: 'user',
  /** Who holds the way back of a message that a visitor wrote. */
  visitor: 'visitor',
  otherSender: 'user',
  sender: 'user',
  /** The account that signs up after a visitor has written. */
  newcomer: 'user',
  /** At the devices from which the sender and the visitor wrote, with their cookies and no account. */
  nextUser: 'visitor',
  moderator: 'moderator',
  /** Whose own messages may be what is reported. */
  secondModerator: 'moderator',
  administrator: 'admin',
  owner: 'user',
} as const satisfies Record<string, Role>;

type PersonName = keyof typeof OBSERVERS;

const PEOPLE = Object.keys(OBSERVERS) as PersonName[];

/** Those who use nothing: what is carried to the owner's browser and to the sender's, and what is logged as in production. */
export type Observer = PersonName | 'pushService' | 'pushServiceOfSender' | 'logReader';

type Writer = 'sender' | 'otherSender' | 'visitor' | 'secondModerator';

export interface Scene {
  writer?: Writer;
  /** The visitor signs up after writing, in the same browser. Otherwise another person does. */
  signsUp?: true;
  /** The owner has reported the message. */
  isReported?: true;
  /** The secret, between two messages of one writer. */
  act?: (stage: Stage) => Promise<unknown>;
  /** Replaces a later message of the writer, hours later. */
  then?: (stage: Stage) => Promise<unknown>;
  /** The sender may be gone at the end. */
  isLong?: true;
  /** The sender writes no more: a message that does not arrive is not known to its recipient. */
  isSilent?: true;
}

interface Stage extends World {
  /** Address of a voice message. */
  voice?: string;
  people: Record<PersonName, Person>;
  writer: Writer;
  /** People whose profiles are read. That an account is gone is public. */
  suspects: readonly PersonName[];
  as: (who: PersonName, method: string, path: string, body?: unknown) => Promise<unknown>;
}

let bed: TestBed;
export let site: Site;
let url: string;
let web: WebServer;
let push: StandInPushService;
let clock: TestClock;
const logged: string[] = [];
/** These are the same in all scenes. */
let staff: Record<'moderator' | 'secondModerator' | 'administrator' | 'judge' | 'secondJudge', Required<Person>>;
let probe: Probe;
export let databases: Record<'auth' | 'messages' | 'tracking' | 'admin', Connection>;
const metrics = new Metrics('gateway');
/** Milliseconds by which the clock was moved. */
let movedMs = 0;
const known = new Map<string, ReadonlyMap<Observer, readonly string[]>>();

/** Paints the words of a picture, which are compared. The pixels of other names always differ. */
const PAINTER = {
  paint: (subject: object) => Promise.resolve(Buffer.from(JSON.stringify(subject))),
  close: () => Promise.resolve(),
};

/** Starts the site of all scenes. */
export async function startWitness(): Promise<void> {
  clock = takeClock();
  // The files of the client were made before the first scene, at any hour.
  clock.advance(DAY_MS);
  push = await startPushService();
  web = await startWebServer({
    host: '127.0.0.1',
    port: 0,
    root: inCheckout('web/dist'),
    copy: path.join(await makeTestFolder('najwa-witness-'), 'client'),
  });
  bed = await startTestBed({
    services: [...API_SERVICES, 'tracking', 'gateway'],
    env: {
      RATE_LIMIT_SCALE: '0',
      PUSH_TRUSTED_ORIGINS: push.origin,
      PUSH_PAUSE_SECONDS: '0',
      WEB_URL: `http://127.0.0.1:${web.port}`,
    },
    // Ages with the clock, not with a slow machine.
    overrides: { gateway: { metrics, painter: PAINTER, now: () => movedMs + performance.now() / SLOWER } },
    onLogLine: (line) => {
      if ((JSON.parse(line) as { level: number }).level >= INFO) logged.push(line);
    },
  });
  url = bed.url('gateway');
  site = {
    ...callsThrough(url, bed.environment['ADMIN_SECRET']),
    callerOf: (service) => bed.callerOf(service),
  };
  databases = {
    auth: await bed.openDatabase('auth'),
    messages: await bed.openDatabase('messages'),
    tracking: await bed.openDatabase('tracking'),
    admin: await bed.openDatabase('admin'),
  };
  staff = {
    moderator: await newStaff(site, 'moderator'),
    secondModerator: await newStaff(site, 'moderator'),
    administrator: await newStaff(site, 'administrator'),
    judge: await newStaff(site, 'administrator'),
    secondJudge: await newStaff(site, 'administrator'),
  };
  probe = await newProbe();
  // No scene begins within this hour: its times would be named differently.
  clock.advance(2 * HOUR_MS);
}

export async function stopWitness(): Promise<void> {
  for (const database of Object.values(databases)) await database.close();
  await bed.stop();
  await web.close();
  await push.close();
  clock.giveBack();
}

const RECORDS = 'sender_tracking_info';
const AUDIT = 'audit_log';

/** Account ids per scene, which choose colours. */
const NUMBERS_OF_A_SCENE = 48;
let scenes = 0;

/** Ids begin at unused numbers, equivalent in every scene. */
export async function beginScene(): Promise<void> {
  scenes += 1;
  const past = scenes * NUMBERS_OF_A_SCENE;
  for (const [service, counter, value] of [
    ['auth', 'users', RANGES.users + past],
    ['messages', 'messages', RANGES.messages + past],
    ['tracking', RECORDS, 0],
    ['admin', AUDIT, 0],
  ] as const)
    await databases[service]
      .collection<{ _id: string }>('counters')
      .updateOne({ _id: counter }, { $set: { value } }, { upsert: true });
  // Of earlier scenes, which staff would see.
  await databases.messages.collection('reports').deleteMany();
  await databases.tracking.collection(RECORDS).deleteMany();
  await databases.admin.collection(AUDIT).deleteMany();
}

const callAs = async ({ headers }: Person, method: string, target: string, body?: unknown): Promise<unknown> => {
  const answer = await site.request(method, target, { headers, ...(body !== undefined && { body }) });
  if (answer.status >= 300)
    throw new Error(`${method} ${target} failed: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

export const newVisitor = (): Person => ({
  headers: { cookie: `najwa_visitor=${randomBytes(16).toString('base64url')}` },
});

/** The next user of the same browser, without an account. */
const atDeviceOf = ({ headers }: Person): Person => ({
  headers: { cookie: /najwa_visitor=[^;]+/.exec(headers['cookie'] ?? '')?.[0] ?? '' },
});

interface Stream {
  /** Received kinds of events, sorted, since their order may vary. */
  events(): string[];
  close(): void;
}

/** Beats come with time, and counts now and then. */
const IS_CHANGE = /^event: (?!beat$|count$)/m;

async function openStream(target: string, { headers }: Person): Promise<Stream> {
  const closing = new AbortController();
  const response = await fetch(`${url}${target}`, { headers, signal: closing.signal });
  let text = '';
  void (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
  })().catch(() => undefined);
  return {
    events: () =>
      text
        .split('\n\n')
        .filter((event) => IS_CHANGE.test(event))
        .toSorted(),
    close: () => closing.abort(),
  };
}

const STREAM = '/api/notifications/stream';

const tokenOf = ({ wayBack = '' }: SentMessage): string => wayBack.replace('/r/', '');

/** Writes to itself. Once that has arrived everywhere, all earlier effects have, too. */
interface Probe {
  person: Required<Person>;
  browser: StandInBrowser;
}

async function newProbe(): Promise<Probe> {
  const person = await newPerson(site);
  const browser = push.newBrowser();
  await callAs(person, 'POST', '/api/push/subscriptions', { subscription: browser.subscription, kinds: ['message'] });
  return { person, browser };
}

/** Collections with events that are not published yet. */
const OUTBOXES = { auth: ['users', 'sessions'], messages: ['messages', 'reports', 'inbox_rules'] } as const;

/** Resolves once everything that was done has had its effects. */
export async function settle(): Promise<void> {
  const { person, browser } = probe;
  const rules = databases.messages.collection('inbox_rules');
  // Events that are published by now are handled before later ones.
  await eventually(async () => {
    // An emptied folder is discarded after the answer, and only then has its events.
    expect(await rules.countDocuments({ emptiedAt: { $gt: new Date(0) } })).toBe(0);
    const counts = Object.entries(OUTBOXES).flatMap(([service, collections]) =>
      collections.map((name) =>
        databases[service as keyof typeof OUTBOXES]
          .collection(name)
          .countDocuments({ 'outbox.at': { $gt: new Date(0) } }),
      ),
    );
    expect(await Promise.all(counts)).toEqual(counts.map(() => 0));
  });
  const stream = await openStream(STREAM, person);
  const before = browser.received.length;
  const { id } = await site.sendMessage(person.account.id, { content: 'هل من أحد؟' }, { headers: person.headers });
  const subscriptions = databases.messages.collection('push_subscriptions');
  await eventually(async () => {
    expect(stream.events().join()).toContain(`"messageId":${id}`);
    expect(browser.received.length).toBeGreaterThan(before);
    expect(await databases.tracking.collection(RECORDS).countDocuments({ messageId: id })).toBe(1);
    // A notice of a reply waits for minutes and is due with the next step.
    const isUnderWay = { $or: [{ 'notice.lease': { $ne: null } }, { 'notice.dueAt': { $lte: new Date() } }] };
    expect(await subscriptions.countDocuments({ notice: { $ne: null }, ...isUnderWay })).toBe(0);
  });
  stream.close();
}

/** Read all the time, and independent of the world. */
const LEFT_OUT: ReadonlySet<string> = new Set(['streamNotifications', 'getDocumentation']);

/** Served to everyone from one cache. */
const SAME_FOR_ALL: ReadonlySet<string> = new Set([
  'getPublicUser',
  'listPublicMessages',
  'getQrCodeAsSvg',
  'getQrCodeAsPng',
]);

/** Change the account's own presence, so they are read last. */
const OWN_PAGES: ReadonlySet<string> = new Set(['listMessages', 'listSessions']);

/** Pictures and pages are the same for all. */
const PAGES = [
  { id: 'home', path: () => '/' },
  { id: 'page', path: ({ recipient }: World) => `/m/${recipient.account.username}` },
] as const;

/** By parameter of the contract: other than what is read without it. */
const QUERIES: Readonly<Record<string, (stage: Stage) => number | string>> = {
  before: ({ message }) => message.private.id + 1,
  filter: () => 'unread',
  folder: () => 'aside',
  ids: ({ message }) => `${message.private.id},${message.public.id}`,
  kind: () => 'undone',
  limit: () => 1,
  of: () => 'unread',
  q: () => WORD,
  reason: () => 'threat',
  size: () => 'small',
  sort: () => 'oldest',
  start: ({ message }) => message.private.createdAt,
  status: () => 'open',
  text: () => WORD,
  turn: () => 3,
  userId: ({ recipient }) => recipient.account.id,
  zone: () => 'Asia/Riyadh',
};

function valueOf(query: string, stage: Stage): number | string {
  const value = QUERIES[query];
  if (value === undefined) throw new Error(`The witness reads nothing by ${query}.`);
  return value(stage);
}

/** Start of the paths that are also read by each parameter: lists of others are empty. */
const IN_ALL_WAYS: Partial<Record<PersonName, string>> = {
  anybody: '/api/',
  owner: '/api/',
  sender: '/api/',
  moderator: '/api/admin/',
  administrator: '/api/admin/',
};

const LANGUAGES = ['ar', 'en'] as const;

interface Asked {
  what: string;
  target: string;
  headers: Record<string, string>;
  method?: string;
  body?: Blob | FormData | null;
}

/** All that the contract lets an observer read. */
function readingsOf(observer: PersonName, { headers }: Person, stage: Stage): Asked[] {
  const readings: Asked[] = [];
  const last: Asked[] = [];
  const isAnybody = observer === 'anybody';
  const isStaff = OBSERVERS[observer] === 'moderator' || OBSERVERS[observer] === 'admin';
  const within = IN_ALL_WAYS[observer];
  for (const { id, method, path: template, queries } of [...documentedOperations().values()].flat()) {
    if (method !== 'GET' || LEFT_OUT.has(id) || !rolesOf(id).includes(OBSERVERS[observer])) continue;
    if (SAME_FOR_ALL.has(id) && !isAnybody) continue;
    // Painting takes most of a look.
    if (!template.startsWith('/api/') && !isAnybody) continue;
    // Only the holder can ask for a way back.
    if (id.includes('WayBack') && observer !== 'visitor') continue;
    const { path: pathOf, answers } = ROWS[id];
    // Their own lists are like those of others.
    if (isStaff && observer !== stage.writer && 'none' in answers && rolesOf(id).includes('user')) continue;
    for (const thing of Object.keys(answers).filter((name) => name !== 'absent') as Thing[]) {
      const target = pathOf?.(stage, thing) ?? template;
      const add = (what: string, query = ''): unknown =>
        (OWN_PAGES.has(id) ? last : readings).push({ what: `${id} ${thing}${what}`, target: target + query, headers });
      add('');
      if (within !== undefined && template.startsWith(within))
        for (const name of queries) add(` by ${name}`, `?${name}=${encodeURIComponent(valueOf(name, stage))}`);
    }
  }
  for (const name of stage.suspects)
    readings.push({
      what: `profile of ${name}`,
      target: `/api/users/${stage.people[name].account?.username ?? ''}`,
      headers,
    });
  if (stage.voice !== undefined) readings.push({ what: 'voice', target: `/api${stage.voice}`, headers });
  if (isAnybody)
    for (const language of LANGUAGES)
      for (const { id, path: pathOf } of PAGES)
        readings.push({
          what: `${id} in ${language}`,
          target: pathOf(stage),
          headers: { cookie: `${headers['cookie']}; language=${language}` },
        });
  return [...readings, ...last];
}

/** Of the web client, or of a form in a page without scripts. */
async function ask({ what, target, headers, method = 'GET', body = null }: Asked): Promise<Observed> {
  const isForm = headers['sec-fetch-site'] !== undefined;
  const response = await fetch(`${url}${target}`, {
    method,
    body,
    redirect: 'manual',
    headers: { ...(!isForm && { 'x-requested-with': 'XMLHttpRequest' }), ...(body && { origin: url }), ...headers },
  });
  return { what, status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

const jsonOf = (body: unknown): Blob => new Blob([JSON.stringify(body)], { type: 'application/json' });

function formOf(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** Only some pictures are painted at once. */
async function read(reading: Asked): Promise<Observed> {
  let answer = await ask(reading);
  await eventually(async () => {
    if (answer.status === 503) answer = await ask(reading);
    expect(answer.status).not.toBe(503);
  });
  return answer;
}

/** The same without its body, and as a browser asks that has it. */
function readAgain(reading: Asked, known?: Observed): Promise<Observed[]> {
  const { what, headers } = reading;
  const tag = known?.headers.get('etag') ?? null;
  return Promise.all([
    ask({ ...reading, what: `${what}, its head`, method: 'HEAD' }),
    ...(tag === null
      ? []
      : [ask({ ...reading, what: `${what}, if it is another`, headers: { ...headers, 'if-none-match': tag } })]),
  ]);
}

async function look(observer: PersonName, person: Person, stage: Stage, names: Names): Promise<string[]> {
  const readings = readingsOf(observer, person, stage);
  const answers: Observed[] = [];
  // In turn: the audit log lists the reads of staff.
  for (const reading of readings) answers.push(await read(reading));
  if (observer === 'anybody')
    answers.push(...(await Promise.all(readings.map((one, index) => readAgain(one, answers[index])))).flat());
  return answers.map((answer) => names.ofAnswer(answer));
}

/** Cache misses of public reads. */
async function pagesFetched(): Promise<number> {
  const { values = [] } = (await metrics.registry.getSingleMetric('cache_requests_total')?.get()) ?? {};
  return values
    .filter(({ labels }) => labels['cache'] === 'public-answers' && labels['outcome'] === 'miss')
    .reduce((sum, { value }) => sum + value, 0);
}

/** Makes calls, and notes how they are answered. */
function recorderOf({ headers }: Person, names: Names) {
  const seen: string[] = [];
  const note = async (asked: Asked): Promise<Observed> => {
    const answer = await ask(asked);
    seen.push(names.ofAnswer(answer));
    return answer;
  };
  const call = async (what: string, method: string, target: string, body?: unknown, key?: string): Promise<unknown> => {
    const { body: answer } = await note({
      what,
      method,
      target,
      headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
      body: body === undefined ? null : jsonOf(body),
    });
    return answer.length === 0 ? undefined : (JSON.parse(answer.toString()) as unknown);
  };
  /** Without scripts, and follows the answer. */
  const submit = async (what: string, target: string, fields: Record<string, string>): Promise<void> => {
    const next = (await note({ what, ...formTo(target, headers, fields) })).headers.get('location');
    if (next !== null) await note({ what: `${what}, the next page`, target: next, headers });
  };
  return { seen, call, submit };
}

const formTo = (target: string, headers: Person['headers'], fields: Record<string, string>) => ({
  target,
  method: 'POST',
  headers: { ...headers, 'sec-fetch-site': 'same-origin' },
  body: formOf(fields),
});

/** Last messages, and how they are answered. */
async function writeOn(writer: PersonName, stage: Stage, names: Names): Promise<string[]> {
  const { seen, call, submit } = recorderOf(stage.people[writer], names);
  const key = randomUUID();
  const message = buildMessage(stage.recipient.account.id, { content: 'وداعًا', imageUrl: PIXEL });
  await call('sends once more', 'POST', '/api/messages', message, key);
  await call('sends it again', 'POST', '/api/messages', message, key);
  await submit('sends without scripts', PAGES[1].path(stage), { content: 'وداعًا بلا برامج' });
  return seen;
}

async function takeBack(writer: Writer, stage: Stage, names: Names): Promise<string[]> {
  const { seen, call } = recorderOf(stage.people[writer], names);
  if (writer !== 'visitor') await call('deletes the first', 'DELETE', `/api/messages/${stage.message.private.id}`);
  await call('deletes what does not exist', 'DELETE', `/api/messages/${ABSENT_ID}`);
  return seen;
}

/** What the owner does at last with what a writer wrote, and how it is answered. */
async function actOn(stage: Stage, names: Names): Promise<string[]> {
  const { seen, call } = recorderOf(stage.people.owner, names);
  const idsIn = async (query: string): Promise<number[]> => {
    const listed = (await call(`reads ${query}`, 'GET', `/api/messages${query}`)) as {
      id: number;
      isPublic: boolean;
    }[];
    return listed.filter(({ isPublic }) => !isPublic).map(({ id }) => id);
  };
  const changeAll = async (action: string): Promise<unknown> =>
    call(`changes all: ${action}`, 'POST', '/api/messages/bulk', { ids: await idsIn(''), action });
  const filter = (change: 'add' | 'remove'): Promise<unknown> =>
    call(`filters: ${change}`, 'PATCH', '/api/filters', { words: { [change]: [WORD] } });
  const { message } = stage;
  for (const id of await idsIn('')) await call('marks as unread', 'PATCH', `/api/messages/${id}`, { isRead: false });
  await filter('add');
  const [restored, discarded] = await idsIn('?folder=aside');
  await filter('remove');
  if (restored !== undefined) await call('restores', 'POST', `/api/messages/${restored}/restore`);
  if (discarded !== undefined) await call('discards', 'DELETE', `/api/messages/${discarded}`);
  const block = (await call('blocks', 'POST', '/api/blocks', { messageId: message.private.id })) as { id?: number };
  if (block.id !== undefined) await call('lifts', 'DELETE', `/api/blocks/${block.id}`);
  const { undoToken } = (await changeAll('delete')) as { undoToken: string };
  await call('takes it back', 'POST', '/api/messages/undo', { undoToken });
  await filter('add');
  await call('empties', 'DELETE', '/api/messages?folder=aside');
  await idsIn('?folder=aside');
  return seen;
}

const pushesOf = (browser: StandInBrowser, names: Names): string[] =>
  browser.received.map(({ headers }, index) => {
    const { topic, urgency, ttl, 'content-length': size } = headers;
    return names.of(`push ${index}`, JSON.stringify({ topic, urgency, ttl, size }));
  });

/** Plays a scene. @returns the view of each observer */
export async function play(
  { writer = 'sender', signsUp, isReported, act, then, isLong, isSilent }: Scene,
  observers: ReadonlySet<Observer>,
): Promise<ReadonlyMap<Observer, readonly string[]>> {
  const steps: number[] = [];
  const goTo = (time: number): void => {
    const milliseconds = time - clock.now();
    movedMs += milliseconds;
    clock.advance(milliseconds);
    steps.push(clock.now());
  };
  /** To the start of a minute, so that a step falls into one minute. */
  const advance = (): void => goTo(Math.ceil((clock.now() + STEP_MS) / MINUTE_MS) * MINUTE_MS);
  // Soon after midnight, so that no step crosses it, and daily notices lie in the first one.
  goTo((Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS + HOUR_MS / 2);
  await beginScene();
  const owner = await newPerson(site);
  const sender = await newPerson(site);
  const otherSender = await newPerson(site);
  const stranger = await newPerson(site);
  const visitor = newVisitor();
  const people = {
    anybody: newVisitor(),
    owner,
    sender,
    otherSender,
    visitor,
    stranger,
    newcomer: newVisitor(),
    moderator: staff.moderator,
    secondModerator: writer === 'secondModerator' ? await newStaff(site, 'moderator') : staff.secondModerator,
    administrator: staff.administrator,
    nextUser: atDeviceOf(sender),
  };
  const as: Stage['as'] = (who, method, target, body) => callAs(people[who], method, target, body);
  await as('owner', 'PATCH', '/api/users/receiving', { presence: 'hidden', readReceipts: false });
  await as('owner', 'PUT', '/api/filters', { words: ['كلمة'], lists: [] });
  const { id: promptId } = (await as('owner', 'POST', '/api/prompts', { content: 'ماذا أقرأ بعد؟' })) as { id: number };
  const send = (from: PersonName, content: string, picture = {}): Promise<SentMessage> =>
    site.sendMessage(owner.account.id, { content, ...picture }, { headers: people[from].headers });

  const published = await send('anybody', 'سؤال للجميع', { imageUrl: PIXEL });
  // An answered message causes no notification.
  await eventually(async () => expect(await as('owner', 'GET', '/api/notifications')).toHaveLength(1));
  await as('owner', 'POST', '/api/replies', { messageId: published.id, content: 'جواب للجميع' });
  await as('owner', 'PATCH', `/api/messages/${published.id}`, { isPublic: true });
  const browsers = { owner: push.newBrowser(), sender: push.newBrowser() };
  const subscribe = (who: keyof typeof browsers): Promise<unknown> =>
    as(who, 'POST', '/api/push/subscriptions', {
      subscription: browsers[who].subscription,
      kinds: ['message', 'reply'],
    });
  // Later notices differ from that of a message.
  await subscribe('sender');
  await site.sendMessage(sender.account.id, { content: 'سلام' }, people.anybody);
  await settle();
  const { id: pushId } = (await subscribe('owner')) as { id: string };
  advance();

  const first = await send(writer, `${WORD} أوّل`, { imageUrl: PIXEL });
  people.newcomer = await registerAs(site, signsUp ? visitor : people.newcomer);
  const stage: Stage = {
    people,
    writer,
    suspects: isLong ? ['otherSender'] : ['sender', 'otherSender'],
    as,
    recipient: owner,
    message: { private: first, public: published },
    sessionId: ABSENT_UUID,
    blockId: ABSENT_ID,
    promptId,
    reportId: ABSENT_ID,
    exportId: ABSENT_ID,
    pushId,
    actionId: ABSENT_ID,
  };
  if (isReported) await as('owner', 'POST', '/api/reports', { messageId: first.id, reason: 'threat' });
  await settle();

  const names = new Map<Observer, Names>();
  const usernames = new Map([
    ...Object.entries(people).flatMap(([name, { account }]) =>
      account ? [[account.username, `<${name}>`] as const] : [],
    ),
    ...[first, published].map((message, index) => [tokenOf(message), `<way back ${index}>`] as const),
  ]);
  const origins = { users: owner.account.id, messages: published.id, steps };
  const namesOf = (observer: Observer): Names => {
    const made = names.get(observer) ?? new Names(origins, usernames);
    names.set(observer, made);
    return made;
  };
  const seen = new Map<Observer, string[]>();
  const note = (observer: Observer, lines: readonly string[]): void =>
    void seen.set(observer, [...(seen.get(observer) ?? []), ...lines]);
  /**
   * The current page: a stale one is served while it is rewritten, and one without a body if that takes long. Read as a
   * crawler does, whose visits do not count.
   */
  const readPage = async (language: (typeof LANGUAGES)[number] = 'ar'): Promise<string> => {
    let page = '';
    await eventually(async () => {
      const headers = { 'user-agent': 'Googlebot', cookie: `language=${language}` };
      page = String((await site.request('GET', PAGES[1].path(stage), { headers })).body);
      const age = clock.now() - Number(/data-rendered="(\d+)"/.exec(page)?.[1]);
      // Retries a page that was not rendered in time once its cache entry is a second older.
      if (!(age < STEP_MS / 2)) movedMs += 1_000;
      expect(age).toBeLessThan(STEP_MS / 2);
    });
    return page;
  };
  const everybodyLooks = async (): Promise<void> => {
    for (const language of LANGUAGES) await readPage(language);
    for (const observer of PEOPLE.filter((name) => observers.has(name)))
      for (const person of observer === 'nextUser' ? [people.nextUser, visitor] : [people[observer]])
        note(observer, await look(observer, person, stage, namesOf(observer)));
  };
  const token = tokenOf(first);
  const listeners: readonly (readonly [PersonName, string])[] = [
    ...(['owner', 'sender', 'otherSender', 'stranger'] as const).map((observer) => [observer, STREAM] as const),
    ['visitor', `${STREAM}?wayBack=${token}`],
  ];
  /** Acts while all listen. */
  const during = async (happening: () => unknown): Promise<void> => {
    const streams = await Promise.all(
      listeners.map(async ([observer, target]) => [observer, await openStream(target, people[observer])] as const),
    );
    const before = await readPage();
    await happening();
    await settle();
    const fetched = await pagesFetched();
    const stays = before === (await readPage());
    // A refetched page takes longer, which is measurable.
    const isFetched = (await pagesFetched()) > fetched;
    note('anybody', [
      `the page ${stays ? 'stays' : 'changes'} within a minute, ${isFetched ? 'fetched again' : 'remembered'}`,
    ]);
    for (const [observer, stream] of streams) {
      const what = `stream in step ${steps.length}`;
      note(observer, [`${what}\n${namesOf(observer).of(what, stream.events().join('\n'))}`]);
      stream.close();
    }
  };

  advance();
  await during(() => act?.(stage));
  advance();
  await during(async () => {
    await (then?.(stage) ?? send(writer, `${WORD} ثانٍ`));
    // Later messages come in quick succession, and may share a notice.
    await settle();
    note('pushService', pushesOf(browsers.owner, namesOf('pushService')));
    if (!isSilent)
      for (const name of [writer, 'nextUser'] as const) note(name, await writeOn(name, stage, namesOf(name)));
  });
  // At once: what came last is new, and all before it is hours old.
  await everybodyLooks();
  advance();
  await during(async () => {
    if (!isSilent) note(writer, await takeBack(writer, stage, namesOf(writer)));
    note('owner', await actOn(stage, namesOf('owner')));
  });
  advance();
  note('pushServiceOfSender', pushesOf(browsers.sender, namesOf('pushServiceOfSender')));
  note(
    'logReader',
    logged.splice(0).map((line) => namesOf('logReader').of('log', line)),
  );
  return seen;
}

/** By the database's time: a replica sweeps first. */
const sweep = async (service: 'auth' | 'messages'): Promise<void> =>
  (await startReplica(bed, service, { clock: () => clock.real() })).stop();

/** The week ends of who left. */
async function endWeek(): Promise<void> {
  await databases.auth
    .collection('users')
    .updateMany({ deletesAt: { $ne: null } }, { $set: { deletesAt: new Date(0) } });
  await sweep('auth');
}

const suspend = (reportId: number): Promise<unknown> =>
  callAs(staff.judge, 'POST', `/api/admin/reports/${reportId}/actions`, {
    action: 'suspend',
    reason: 'تهديد صريح',
    days: 7,
  });

/** The sender writes to a stranger, who reports that. @returns the id of the report */
async function reportElsewhere({ as, people }: Stage): Promise<number> {
  const stranger = people.stranger.account?.id ?? 0;
  const { id: messageId } = await site.sendMessage(stranger, { content: 'تهديد' }, people.sender);
  return ((await as('stranger', 'POST', '/api/reports', { messageId, reason: 'threat' })) as { id: number }).id;
}

const HELD = 'لم تصل بعد';

/**
 * Both senders write to a stranger, who reports them. Some are suspended, write to the owner, and the suspensions are
 * undone.
 * @param writers of the two held messages; none if they go to the stranger
 */
const holdAndTakeBack =
  (...writers: ('sender' | 'otherSender')[]) =>
  async ({ as, people, recipient }: Stage): Promise<void> => {
    const stranger = people.stranger.account?.id ?? 0;
    const taken: number[] = [];
    for (const name of ['sender', 'otherSender'] as const) {
      const { id: messageId } = await site.sendMessage(stranger, { content: 'تهديد' }, people[name]);
      const { id } = (await as('stranger', 'POST', '/api/reports', { messageId, reason: 'threat' })) as { id: number };
      if (writers.includes(name)) taken.push(((await suspend(id)) as { id: number }).id);
    }
    for (const name of writers) await site.sendMessage(recipient.account.id, { content: HELD }, people[name]);
    if (writers.length === 0)
      for (const name of ['sender', 'otherSender'] as const)
        await site.sendMessage(stranger, { content: HELD }, people[name]);
    for (const id of taken)
      await callAs(staff.secondJudge, 'POST', `/api/admin/actions/${id}/undo`, { reason: 'كان مزاحًا' });
  };

/** Delivers held and later messages, each at its own time. */
async function deliver({ recipient }: Stage): Promise<void> {
  const held = { userId: -recipient.account.id, 'aside.deliverAt': { $gt: clock.real() } };
  const messages = databases.messages.collection('messages');
  while ((await messages.updateOne(held, { $set: { 'aside.deliverAt': new Date(1) } })).modifiedCount > 0) {
    await sweep('messages');
    await settle();
  }
}

const second = ({ account }: Person) => buildMessage(account?.id ?? 0, { content: `${WORD} ثانٍ`, imageUrl: PIXEL });

/** Others write what would have been held. */
async function othersWrite({ recipient }: Stage): Promise<void> {
  for (const visitor of [newVisitor(), newVisitor()]) {
    await site.sendMessage(recipient.account.id, { content: HELD }, visitor);
    await settle();
  }
}

const report = async ({ as, message }: Stage, who: PersonName, thing: 'private' | 'public'): Promise<number> => {
  const body = { messageId: message[thing].id, reason: 'threat' };
  return ((await as(who, 'POST', '/api/reports', body)) as { id: number }).id;
};

const speaksAndWrites = (writer: 'sender' | 'visitor'): Scene => ({
  writer,
  act: async (stage) => {
    const sample = new Uint8Array(await readSample('speech-0.3s.webm'));
    const audio = new File([sample], 'recording.webm');
    // Altered already, so that no alteration is drawn at random.
    const fields = { audio, userId: String(stage.recipient.account.id), voiceType: 'female', isAltered: 'true' };
    const headers = { ...stage.people[writer].headers, 'idempotency-key': randomUUID() };
    const asked = { what: 'a voice', target: '/api/audio/upload', method: 'POST', headers, body: formOf(fields) };
    const { status, body } = await ask(asked);
    expect(status).toBe(201);
    stage.voice = (JSON.parse(String(body)) as { audioUrl: string }).audioUrl;
  },
  then: async (stage) => {
    const { headers } = stage.people[writer];
    const form = formTo(PAGES[1].path(stage), headers, { content: `${WORD} بلا برامج` });
    expect((await ask({ what: 'a form', ...form })).status).toBe(303);
  },
});

/**
 * The owner answers, and the writer goes on.
 * @param before runs between the last answer and the last message
 */
async function converse(
  { as, message, writer }: Stage,
  turns: number,
  before?: () => Promise<unknown>,
): Promise<number> {
  let last = message.private.id;
  for (let turn = 1; turn <= turns; turn += 1) {
    await as('owner', 'POST', '/api/replies', { messageId: last, content: `جواب ${turn}` });
    if (turn === turns) await before?.();
    const path =
      writer === 'visitor'
        ? `/api/ways-back/${tokenOf(message.private)}/messages`
        : `/api/messages/${message.private.id}/follow-ups`;
    last = ((await as(writer, 'POST', path, { content: `${WORD} مرة أخرى ${turn}` })) as { id: number }).id;
    await settle();
  }
  return last;
}

/** Ten turns. */
const converses = (writer: Writer): Scene => ({
  writer,
  act: async (stage) => {
    const messageId = await converse(stage, 4);
    await stage.as('owner', 'POST', '/api/replies', { messageId, content: 'جواب أخير' });
  },
});

/** @param further the last message of it, or another one of another sender */
const publishesTwo = (further: (stage: Stage) => Promise<number>): Scene => ({
  act: async (stage) => {
    const { as, message } = stage;
    const ids = [message.private.id, await further(stage)];
    await settle();
    for (const id of ids) await as('owner', 'PATCH', `/api/messages/${id}`, { isPublic: true });
  },
});

const visits =
  (who: 'sender' | 'visitor') =>
  (stage: Stage): Promise<unknown> =>
    ask({
      what: 'a visit',
      target: PAGES[1].path(stage),
      // Programs are no visitors.
      headers: {
        ...stage.people[who].headers,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0',
      },
    });

export const SCENES = {
  'an account writes': {},
  'a visitor writes': { writer: 'visitor' },
  'the visitor who wrote signs up': { writer: 'visitor', signsUp: true },
  'an account writes, and is reported': { isReported: true },
  'another account writes, and is reported': { writer: 'otherSender', isReported: true },
  'a visitor writes, and is reported': { writer: 'visitor', isReported: true },
  'the sender is blocked': {
    act: ({ as, message }) => as('owner', 'POST', '/api/blocks', { messageId: message.private.id }),
  },
  'the visitor is blocked': {
    writer: 'visitor',
    act: ({ as, message }) => as('owner', 'POST', '/api/blocks', { messageId: message.private.id }),
  },
  'what the sender writes is filtered': {
    act: ({ as }) => as('owner', 'PATCH', '/api/filters', { words: { add: [WORD] } }),
  },
  'the sender is suspended': {
    isReported: true,
    act: async ({ as }) => {
      const [reported] = (await as('moderator', 'GET', '/api/admin/reports')) as { id: number }[];
      await suspend(reported?.id ?? 0);
    },
  },
  // Threat model: owner-21.
  'the sender is suspended for what another reported': {
    isSilent: true,
    act: (stage) => reportElsewhere(stage).then(suspend),
    then: () => Promise.resolve(),
  },
  'another reports the sender': { isSilent: true, act: reportElsewhere, then: () => Promise.resolve() },
  'an account speaks, and writes without scripts': speaksAndWrites('sender'),
  'a visitor speaks, and writes without scripts': speaksAndWrites('visitor'),
  'the sender visits': { act: visits('sender') },
  'a visitor visits': { act: visits('visitor') },
  'the owner is there': {
    act: async ({ as, recipient }) => {
      await signIn(site, recipient.account.username);
      await as('owner', 'GET', '/api/messages');
    },
  },
  'a moderator writes': { writer: 'secondModerator' },
  'what a moderator wrote is reported': {
    writer: 'secondModerator',
    act: (stage) => report(stage, 'owner', 'private'),
  },
  'a suspension held what one account wrote': { act: holdAndTakeBack('sender', 'sender'), then: deliver },
  'suspensions held what two accounts wrote': { act: holdAndTakeBack('sender', 'otherSender'), then: deliver },
  'a message comes later': {
    act: ({ as, recipient }) => as('sender', 'POST', '/api/messages', { ...second(recipient), later: true }),
    then: deliver,
  },
  // One that goes elsewhere has the number.
  'a message comes at once': {
    act: ({ as, people }) => as('sender', 'POST', '/api/messages', second(people.stranger)),
    then: async ({ as, recipient }) => {
      await as('sender', 'POST', '/api/messages', second(recipient));
      await settle();
    },
  },
  'others write hours later': { act: holdAndTakeBack(), then: othersWrite },
  'the message is answered in private': {
    act: ({ as, message }) =>
      as('owner', 'POST', '/api/replies', { messageId: message.private.id, content: 'لك وحدك' }),
  },
  // Threat model: network-6.
  'a stranger writes to the sender': {
    act: ({ people }) =>
      site.sendMessage(people.sender.account?.id ?? 0, { content: 'إلى المرسل' }, { headers: people.stranger.headers }),
  },
  'the message is read, and reported': {
    act: async (stage) => {
      await stage.as('owner', 'PATCH', `/api/messages/${stage.message.private.id}`, { isRead: true });
      await report(stage, 'owner', 'private');
    },
  },
  'others report a public message': {
    act: async (stage) => {
      await report(stage, 'stranger', 'public');
      await callAs(newVisitor(), 'POST', '/api/reports', { messageId: stage.message.public.id, reason: 'threat' });
    },
  },
  'the visitor comes back': {
    writer: 'visitor',
    act: async ({ as, message }) => {
      await as('visitor', 'GET', `/api/ways-back/${tokenOf(message.private)}`);
      await as('visitor', 'POST', '/api/push/subscriptions', {
        subscription: push.newBrowser().subscription,
        kinds: [],
        wayBack: tokenOf(message.private),
      });
    },
  },
  'the sender comes back, and deletes it': {
    act: async ({ as, message }) => {
      await as('sender', 'GET', '/api/messages/sent');
      await as('sender', 'DELETE', `/api/messages/${message.private.id}`);
    },
  },
  'an account goes on': converses('sender'),
  'another account goes on': converses('otherSender'),
  'a visitor goes on': converses('visitor'),
  'a further message arrives': { act: (stage) => converse(stage, 1) },
  'a further message is blocked': {
    act: (stage) =>
      converse(stage, 1, () => stage.as('owner', 'POST', '/api/blocks', { messageId: stage.message.private.id })),
  },
  'a further message is held': {
    isSilent: true,
    act: (stage) => converse(stage, 1, () => reportElsewhere(stage).then(suspend)),
    then: () => Promise.resolve(),
  },
  // One that goes elsewhere has the number.
  'no further message comes': {
    isSilent: true,
    act: async (stage) => {
      await stage.as('owner', 'POST', '/api/replies', { messageId: stage.message.private.id, content: 'جواب 1' });
      await reportElsewhere(stage);
      await site.sendMessage(stage.people.stranger.account?.id ?? 0, { content: HELD }, stage.people.sender);
    },
    then: () => Promise.resolve(),
  },
  'a week passes in a conversation': {
    isLong: true,
    isSilent: true,
    act: (stage) => converse(stage, 1),
    then: endWeek,
  },
  'the sender leaves a conversation': {
    isLong: true,
    isSilent: true,
    act: (stage) => converse(stage, 1),
    then: async ({ as }) => {
      await as('sender', 'POST', '/api/account/deletion', { password: PASSWORD });
      await endWeek();
    },
  },
  'two messages of a conversation are published': publishesTwo((stage) => converse(stage, 1)),
  'two single messages are published': publishesTwo(async ({ as, message, people, recipient }) => {
    await as('owner', 'POST', '/api/replies', { messageId: message.private.id, content: 'جواب 1' });
    const content = `${WORD} مرة أخرى 1`;
    const { id } = await site.sendMessage(recipient.account.id, { content }, people.otherSender);
    await settle();
    return id;
  }),
} as const satisfies Record<string, Scene>;

export type SceneName = keyof typeof SCENES;

export interface Secret {
  scene: SceneName;
  /** The scene without the secret. */
  without: SceneName;
  /** Who may learn of it, or who is not compared, and why. No other observer may. */
  except: Partial<Record<Observer, string>>;
}

export const OBSERVER_NAMES: readonly Observer[] = [...PEOPLE, 'pushService', 'pushServiceOfSender', 'logReader'];

const DID_IT = 'did it';
const LEARNS_OF_IT = 'learns of it by its role';
const STAFF = { moderator: LEARNS_OF_IT, secondModerator: LEARNS_OF_IT, administrator: LEARNS_OF_IT };
const SET_ASIDE = { owner: DID_IT, pushService: 'carries no notice of what is set aside' };
const REPORTED_BOTH = {
  sender: DID_IT,
  otherSender: DID_IT,
  stranger: 'reported both, and hears what came of it',
  ...STAFF,
};
const IS_NOTIFIED = { pushServiceOfSender: 'carries notices of the answers to an account' };
const IS_LISTED = { administrator: 'sees whether a message is read, in the list of senders' };

export const SECRETS: readonly Secret[] = [
  { scene: 'a visitor writes', without: 'an account writes', except: { sender: DID_IT, visitor: DID_IT } },
  { scene: 'the visitor who wrote signs up', without: 'a visitor writes', except: {} },
  {
    scene: 'another account writes, and is reported',
    without: 'an account writes, and is reported',
    except: { sender: DID_IT, otherSender: DID_IT },
  },
  {
    scene: 'a visitor writes, and is reported',
    without: 'an account writes, and is reported',
    except: { sender: DID_IT, visitor: DID_IT, ...STAFF },
  },
  { scene: 'the sender is blocked', without: 'an account writes', except: SET_ASIDE },
  { scene: 'the visitor is blocked', without: 'a visitor writes', except: SET_ASIDE },
  { scene: 'what the sender writes is filtered', without: 'an account writes', except: SET_ASIDE },
  {
    scene: 'the sender is suspended',
    without: 'an account writes, and is reported',
    except: {
      owner: 'reported it, and hears that something was done',
      ...STAFF,
      pushService: 'carries no notice of what is held',
    },
  },
  {
    scene: 'the sender is suspended for what another reported',
    without: 'another reports the sender',
    except: { stranger: 'reported it, and hears that something was done', ...STAFF },
  },
  {
    scene: 'what a moderator wrote is reported',
    without: 'a moderator writes',
    except: { owner: DID_IT, moderator: LEARNS_OF_IT, administrator: LEARNS_OF_IT },
  },
  {
    // Threat model: owner-21.
    scene: 'a suspension held what one account wrote',
    without: 'suspensions held what two accounts wrote',
    except: REPORTED_BOTH,
  },
  {
    // Threat model: owner-21.
    scene: 'a suspension held what one account wrote',
    without: 'others write hours later',
    except: REPORTED_BOTH,
  },
  {
    scene: 'a visitor speaks, and writes without scripts',
    without: 'an account speaks, and writes without scripts',
    except: { sender: DID_IT, visitor: DID_IT },
  },
  { scene: 'a visitor visits', without: 'the sender visits', except: {} },
  { scene: 'the owner is there', without: 'an account writes', except: { owner: DID_IT } },
  {
    scene: 'the message is answered in private',
    without: 'an account writes',
    except: {
      owner: DID_IT,
      sender: LEARNS_OF_IT,
      visitor: 'holds the way back here, which shows the reply',
      pushServiceOfSender: 'carries a notice of it',
      ...IS_LISTED,
    },
  },
  {
    scene: 'the message is answered in private',
    without: 'a stranger writes to the sender',
    except: Object.fromEntries(
      OBSERVER_NAMES.filter((name) => name !== 'pushServiceOfSender').map((name) => [name, 'is compared above']),
    ),
  },
  { scene: 'the message is read, and reported', without: 'an account writes', except: { owner: DID_IT, ...STAFF } },
  { scene: 'others report a public message', without: 'an account writes', except: { stranger: DID_IT, ...STAFF } },
  { scene: 'the visitor comes back', without: 'a visitor writes', except: { visitor: DID_IT } },
  { scene: 'the sender comes back, and deletes it', without: 'an account writes', except: { sender: DID_IT } },
  {
    // Threat model: owner-30.
    scene: 'another account goes on',
    without: 'an account goes on',
    except: { sender: DID_IT, otherSender: DID_IT, ...IS_NOTIFIED },
  },
  {
    // Threat model: owner-30.
    scene: 'a visitor goes on',
    without: 'an account goes on',
    except: { sender: DID_IT, visitor: DID_IT, ...IS_NOTIFIED },
  },
  {
    // Threat model: sender-24.
    scene: 'a further message is blocked',
    without: 'a further message arrives',
    except: SET_ASIDE,
  },
  {
    // Threat model: owner-30.
    scene: 'a further message is held',
    without: 'no further message comes',
    except: {
      sender: DID_IT,
      visitor: 'holds the way back here, which shows the message',
      stranger: 'reported it, and hears that something was done',
      ...STAFF,
    },
  },
  {
    // Threat model: owner-30.
    scene: 'the sender leaves a conversation',
    without: 'a week passes in a conversation',
    except: {
      sender: DID_IT,
      visitor: 'holds the way back here, which ends with the account',
      administrator: 'no longer finds the trace of the sender',
      ...IS_NOTIFIED,
    },
  },
  {
    // Threat model: owner-31.
    scene: 'a message comes later',
    without: 'a message comes at once',
    except: {
      sender: DID_IT,
      stranger: 'gets the one that has the number there',
      administrator: 'sees when it was written, in the list of senders',
    },
  },
  {
    // Threat model: visitor-8.
    scene: 'two messages of a conversation are published',
    without: 'two single messages are published',
    except: {
      owner: 'answered it',
      sender: DID_IT,
      otherSender: DID_IT,
      visitor: 'holds the way back here, which shows both',
    },
  },
];

/** Who must not learn of a secret. */
export const hiddenFrom = ({ except }: Secret): Observer[] => OBSERVER_NAMES.filter((name) => !(name in except));

/** Some look in every scene: reads of senders show on their profiles, those of moderators in the audit log. */
export const observersOf = (name: SceneName): Set<Observer> => {
  const secrets = SECRETS.filter(({ scene, without }) => [scene, without].includes(name));
  return new Set(['sender', 'otherSender', 'moderator', 'secondModerator', ...secrets.flatMap(hiddenFrom)]);
};

/**
 * What an observer sees of a scene, which is played once.
 * @param observers all that look
 */
export async function viewOf(
  name: SceneName,
  observer: Observer,
  observers: Iterable<Observer> = observersOf(name),
): Promise<readonly string[]> {
  const views = known.get(name) ?? (await play(SCENES[name], new Set(observers)));
  known.set(name, views);
  return views.get(observer) ?? [];
}
