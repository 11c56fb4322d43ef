// npm run demo: fills an empty site by its own calls, so that every screen has something to show. A second run changes
// nothing. npm run demo -- --remove: takes all of it away. Both take --address http://localhost:8080.
import { hash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { localAdminSecret, SetupError, valueOf } from '../dev/src/bootstrap/environment.js';

/** @typedef {{ username?: string, password?: string, id?: number, cookies: Map<string, string>, browser: string, address: string }} Person */

const BROWSERS = [
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
];
/** Of each page. A network may bring about twenty new visitors an hour. */
const VISITS = 14;

const readBytes = (/** @type {string} */ name) => readFile(new URL(name, import.meta.url));
const scene = JSON.parse(String(await readBytes('scene.json')));
const owners = scene.people.filter(({ role }) => role !== 'moderator');

/** A refusal of the site. */
class Refused extends Error {
  constructor(call, { status, body }) {
    super(`${call} was refused with status ${status} (${body?.code ?? 'no code'}).`);
    this.code = body?.code;
  }
}

function solve({ challenge, bits }) {
  for (let counter = 0; ; counter += 1) {
    const work = hash('sha256', `${challenge}.${counter}`, 'buffer');
    if (Math.clz32(work.readUInt32BE()) >= bits) return `${challenge}.${counter}`;
  }
}

/** The site, and people whose names, passwords and browsers follow from its secret: each run has the same ones. */
function openSite({ address, host, secret }) {
  const isLoopback = process.platform === 'linux' && /^(localhost|127\.)/.test(address.hostname);
  const derive = (what) => createHmac('sha256', secret).update(`demo ${what}`).digest('base64url');

  /** @returns {Person} */
  function newPerson(name, profile = {}) {
    const visitor = derive(`visitor ${name}`).slice(0, 22);
    const cookies = new Map(['', '__Host-'].map((prefix) => [`${prefix}najwa_visitor`, visitor]));
    const [a = 0, b = 0, c = 0] = Buffer.from(visitor, 'base64url');
    const browser = BROWSERS[a % BROWSERS.length] ?? '';
    return {
      address: `${1 + (a % 250)}.${b}.${1 + (c % 250)}`,
      ...profile,
      password: derive(`password ${name}`).slice(0, 16),
      cookies,
      browser,
    };
  }

  /** Limits count addresses, so people have several: of this machine where it has many, and said by a header where that is believed. */
  async function request(person, method, path, { body, form, headers = {} } = {}) {
    const content = body || form ? new Response(form ?? JSON.stringify(body)) : undefined;
    const bytes = content && Buffer.from(await content.arrayBuffer());
    const options = {
      method,
      ...(isLoopback && { host: '127.0.0.1', localAddress: `127.${person.address}` }),
      headers: {
        Host: host,
        Origin: `${address.protocol}//${host}`,
        'X-Forwarded-For': `198.18.${person.address.replace(/^\d+\./, '')}`,
        'X-Requested-With': 'XMLHttpRequest',
        'User-Agent': person.browser,
        'Accept-Language': 'ar,en;q=0.8',
        Cookie: [...person.cookies].map((pair) => pair.join('=')).join('; '),
        ...(bytes && {
          'Content-Type': form ? content.headers.get('content-type') : 'application/json',
          'Content-Length': bytes.length,
        }),
        ...headers,
      },
    };
    const send = address.protocol === 'https:' ? https.request : http.request;
    const response = await new Promise((resolve, reject) =>
      send(`${address.origin}${path}`, options, resolve).once('error', reject).end(bytes),
    );
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) person.cookies.set(name, value);
    }
    const answered = await textOf(response);
    const isJson = response.headers['content-type']?.startsWith('application/json') && answered !== '';
    const retryAfter = Number(response.headers['retry-after']);
    return { status: response.statusCode, retryAfter, body: isJson ? JSON.parse(answered) : answered };
  }

  /** @throws {Refused} */
  async function call(person, method, path, options = {}) {
    const key = options.key && { 'Idempotency-Key': derive(`call ${options.key}`).slice(0, 32) };
    const headers = { ...key, ...options.headers };
    let answer = await request(person, method, path, { ...options, headers });
    if (answer.body?.proof) {
      const proof = { 'Proof-Of-Work': solve(answer.body.proof) };
      answer = await request(person, method, path, { ...options, headers: { ...headers, ...proof } });
    }
    // Where all have one address, the site wants some minutes.
    for (let tries = 0; answer.status === 429 && answer.retryAfter <= 60 && tries < 10; tries += 1) {
      await wait(answer.retryAfter * 1000);
      answer = await request(person, method, path, { ...options, headers });
    }
    if (answer.status >= 300) throw new Refused(`${method} ${path}`, answer);
    return answer.body;
  }

  return { call, newPerson, secret };
}

const unless = (code, instead) => (error) => {
  if (error instanceof Refused && error.code === code) return instead;
  throw error;
};

/** @returns {Promise<boolean>} false if there is no such account with this password */
async function signIn({ call }, person) {
  const { username, password } = person;
  const user = await call(person, 'POST', '/api/login', { body: { username, password } }).catch(
    unless('wrong_credentials'),
  );
  person.id = user?.id;
  person.isClosed = Boolean(user?.deletesAt);
  return user !== undefined;
}

const close = ({ call }, person) =>
  call(person, 'POST', '/api/account/deletion', { body: { password: person.password } });

async function createAccount(site, person) {
  const { username, password, name, bio, role, isVerified: createVerified } = person;
  const taken = () => new SetupError(`Another account has the name ${username}. The demo is for an empty site.`);
  const create =
    role === 'owner'
      ? { path: '/api/register', body: { confirmPassword: password, terms: true, bio } }
      : {
          path: '/api/admin/create',
          body: { role, createVerified, email: `${username}@demo.example`, adminSecret: site.secret },
        };
  await site
    .call(person, 'POST', create.path, { body: { username, password, name, ...create.body } })
    .catch((error) => {
      if (error.code === 'not_allowed') throw new SetupError('ADMIN_SECRET is not the secret of this site.');
      throw ['username_taken', 'username_reserved'].includes(error.code) ? taken() : error;
    });
  if (!(await signIn(site, person))) throw taken();
}

async function openAccount(site, person) {
  const isThere = await signIn(site, person);
  if (!isThere) await createAccount(site, person);
  if (person.isClosed) await site.call(person, 'DELETE', '/api/account/deletion');
  if (person.pause) await site.call(person, 'PATCH', '/api/users/receiving', { body: { from: 'everyone' } });
  if (isThere) return;
  const { bio, gender } = person;
  const avatar = person.avatar && { avatar: await dataUrl(person.avatar) };
  await site.call(person, 'PATCH', '/api/users', { body: { bio, gender, ...avatar } });
}

const dataUrl = async (name) => `data:image/webp;base64,${(await readBytes(`pictures/${name}`)).toString('base64')}`;

/** The first account of a site that never had another has the id 1. */
async function refuseOtherAccounts(site, first) {
  if (first.id === 1) return;
  await close(site, first);
  throw new SetupError('This site has accounts, or had some. The demo is for an empty site.');
}

async function send({ call, newPerson }, people, prompts, message, index) {
  const { to, from, text, picture, voice, voiceType, isAnswer } = message;
  const sender = people.get(from) ?? newPerson(`sender ${index}`);
  const promptId = isAnswer && prompts.get(to);
  const key = `message ${index}`;
  const userId = people.get(to).id;
  if (!voice) {
    const imageUrl = picture && (await dataUrl(picture));
    const body = { userId, content: text, ...(promptId && { promptId }), ...(imageUrl && { imageUrl }) };
    return call(sender, 'POST', '/api/messages', { body, key });
  }
  const form = new FormData();
  form.set('audio', new Blob([await readBytes(`voices/${voice}`)]), voice);
  form.set('userId', String(userId));
  form.set('voiceType', voiceType);
  return call(sender, 'POST', '/api/audio/upload', { form, key });
}

/** What the recipient does with a message. One that was deleted since an earlier run stays so. */
async function receive({ call }, owner, { id }, { reply, isPublic, report, comment }) {
  const body = { messageId: id };
  if (reply) await call(owner, 'POST', '/api/replies', { body: { ...body, content: reply } });
  if (isPublic) await call(owner, 'PATCH', `/api/messages/${id}`, { body: { isPublic } });
  if (report)
    await call(owner, 'POST', '/api/reports', { body: { ...body, reason: report, ...(comment && { comment }) } });
}

/** Sends the messages to one person, one after the other, so that they are in order. */
async function fillInbox(site, people, prompts, owner) {
  const pins = [];
  const received = [];
  for (const [index, message] of scene.messages.entries()) {
    if (message.to !== owner.username) continue;
    const sent = await send(site, people, prompts, message, index);
    const done = receive(site, owner, sent, message).catch(unless('message_not_found'));
    // Its failure shows below.
    done.catch(() => undefined);
    received.push(done);
    if (message.isPinned) pins.push(sent.id);
  }
  await Promise.all(received);
  const pinned = { body: { ids: pins } };
  await site.call(owner, 'PUT', '/api/messages/pinned', pinned).catch(unless('message_not_found'));
}

const openReports = ({ call }, moderator) => call(moderator, 'GET', '/api/admin/reports?status=open&limit=100');
const decide = ({ call }, moderator, { id }, action, reason) =>
  call(moderator, 'POST', `/api/admin/reports/${id}/actions`, { body: { action, reason } }).catch(
    unless('already_decided'),
  );

async function ask({ call, newPerson }, people, { from, text }, index) {
  const body = { message: text };
  await call(people.get(from) ?? newPerson(`asker ${index}`), 'POST', '/api/chat', { body, key: `question ${index}` });
}

async function fill(site, people) {
  const [first, ...others] = people.values();
  await openAccount(site, first);
  await refuseOtherAccounts(site, first);
  await Promise.all(others.map((person) => openAccount(site, person)));
  const prompts = new Map();
  for (const { to, text } of scene.prompts) {
    const { id } = await site.call(people.get(to), 'POST', '/api/prompts', { body: { content: text } });
    prompts.set(to, id);
  }
  await Promise.all([
    ...owners.map(({ username }) => fillInbox(site, people, prompts, people.get(username))),
    ...scene.questions.map((question, index) => ask(site, people, question, index)),
    ...owners.flatMap(({ username }) =>
      Array.from({ length: VISITS }, (_, index) =>
        site.call(site.newPerson(`visitor ${index} of ${username}`), 'GET', `/m/${username}/seen`),
      ),
    ),
  ]);
  const moderator = people.get('huda');
  for (const report of await openReports(site, moderator)) {
    const decision = scene.decisions.find(({ reason }) => report.reasons.includes(reason));
    if (decision) await decide(site, moderator, report, decision.action, decision.why);
  }
  for (const { username, pause } of owners)
    if (pause)
      await site.call(people.get(username), 'PATCH', '/api/users/receiving', {
        body: { from: 'nobody', notice: pause },
      });
  return [
    `The demo is there: ${owners.length} pages, ${scene.messages.length} messages, ${scene.messages.filter(({ report }) => report).length} reports.`,
    '',
    ...[...people.values()].map(
      ({ username, password, look }) => `  ${username.padEnd(7)} password ${password}  ${look}`,
    ),
    '',
    `Sign in at /auth?tab=login, and open ${owners.map(({ username }) => `/m/${username}`).join(', ')}.`,
    'Messages and visits are of today: the site has no call that gives them another date.',
    'The same command with --remove takes all of it away.',
  ];
}

/** The last administrator cannot go, so the others go first. */
async function remove(site, people) {
  const there = [];
  for (const person of people.values()) if ((await signIn(site, person)) && !person.isClosed) there.push(person);
  if (there.length === 0) return ['There is no demo here.'];
  const [moderator, administrator] = ['moderator', 'administrator'].map((role) =>
    there.find((person) => person.role === role),
  );
  const names = new Set(scene.messages.map(({ text }) => text));
  for (const report of moderator ? await openReports(site, moderator) : [])
    if (names.has(report.message.content)) await decide(site, moderator, report, 'dismiss', 'انتهى العرض.');
  if (administrator) {
    const questions = new Set(scene.questions.map(({ text }) => text));
    const all = '/api/admin/chat-bot/messages';
    for (const { id, userMessage } of await site.call(administrator, 'GET', `${all}?limit=100`))
      if (questions.has(userMessage)) await site.call(administrator, 'DELETE', `${all}/${id}`);
  }
  const stays = [];
  for (const person of there)
    if ((await close(site, person).catch(unless('last_administrator'))) === undefined) stays.push(person.username);
  return [
    'The demo is closed: nothing of it shows any more, and after seven days it is deleted, as every account is.',
    ...stays.map(
      (username) =>
        `${username} is the last administrator and stays. Create yours at /admin/create, then run this once more.`,
    ),
  ];
}

try {
  const { values } = parseArgs({
    options: { address: { type: 'string', default: 'http://localhost:8080' }, remove: { type: 'boolean' } },
  });
  const address = new URL(values.address);
  const [host = ''] = (valueOf(process.env, 'PUBLIC_HOSTS') ?? address.host).split(',');
  const secret = await localAdminSecret();
  if (!secret) throw new SetupError('Set ADMIN_SECRET to the secret of this site, or start it here with npm start.');
  const site = openSite({ address, host, secret });
  const people = new Map(scene.people.map((person) => [person.username, site.newPerson(person.username, person)]));
  const startedAt = performance.now();
  const lines = await (values.remove ? remove : fill)(site, people);
  process.stdout.write(`${lines.join('\n')}\n(${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
} catch (error) {
  if (error.code === 'ECONNREFUSED') error.message = 'Nothing answers there. Start the site, or name its --address.';
  else if (!(error instanceof SetupError || error instanceof Refused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
