import { randomBytes } from 'node:crypto';
import { rounds as roundsOf, sizes } from '@najwa/dev/bootstrap/smoke';
import { headersOf, newPerson, type Person } from '@najwa/fuzz/people';
import { LIMITS, ROUTES, type Route } from '@najwa/proto/http/client';
import { longestHolds, processesByService, type TestSystem } from '@najwa/testing';
import sharp from 'sharp';
import type { SystemBenchmark } from '../benchmark.js';
import { atMost } from '../result.js';
import { cut } from '../voice.js';
import { choicesOf, fill, hasTexts, operations, targetOf, type Filling, type Operation } from './contract.js';
import { textOf, UNITS } from './texts.js';

/** Part of the names of operations to try. */
const WANTED = process.env['LOOP_OPERATIONS'] ?? '';
const MAX_MS = 20;
/** Garbage collection only adds time, so the minimum counts. */
const TRIES = roundsOf(5);
const UNIT_NAMES = sizes({ full: Object.keys(UNITS), smoke: ['ligature'] });
/** Per operation. */
const MAX_ROUNDS = sizes({ full: Infinity, smoke: 1 });
const MESSAGES = sizes({ full: 200, smoke: 3 });
const VOICE_SECONDS = sizes({ full: 170, smoke: 1 });
const PICTURE_BYTES = sizes({ full: LIMITS.messageImageBytes, smoke: 10_000 });
const AVATAR_BYTES = sizes({ full: LIMITS.avatarBytes, smoke: 10_000 });
/** Of the longest text, until one is accepted, if all of it is not. */
const SHARES = [0.5, 0.25];

/** These end or change a session, so each attempt has a new account. */
const ENDING: ReadonlySet<string> = new Set([
  'register',
  'login',
  'logout',
  'endOtherSessions',
  'endSession',
  'requestDeletion',
  'changePassword',
  'createRecoveryCodes',
]);

const WORLD_NAMES = { username: 'username', filename: 'image', token: 'wayBack' } as const;

/** Noise, which does not compress. */
function noisePicture(bytes: number): Promise<Buffer> {
  const side = Math.floor(Math.sqrt((0.99 * bytes) / 3));
  const raw = { width: side, height: side, channels: 3 } as const;
  return sharp(randomBytes(side * side * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

interface World {
  owner: Person;
  admin: Person;
  username: string;
  image: string;
  wayBack: string;
  messageIds: number[];
  promptId: number;
  picture: Buffer;
  avatar: Buffer;
  recording: Buffer;
}

/** An account at all its limits, in expensive texts. */
async function createWorld(system: TestSystem, say: (what: string) => void): Promise<World> {
  say('signing people up');
  const [owner, admin] = [await newPerson(system, 'user'), await newPerson(system, 'admin')];
  const act = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await system.request(method, path, { cookie: owner.cookie ?? '', body });
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered with ${answer.status}.`);
    return answer.body;
  };
  const messageIds: number[] = [];
  let [image, wayBack] = ['absent.webp', 'A'.repeat(22)];
  const own = await act('GET', '/api/user');
  const prompt = await act('POST', '/api/prompts', { content: textOf('emoji', LIMITS.text.prompt.max) });
  const picture = await noisePicture(PICTURE_BYTES);
  for (let index = 0; index < MESSAGES; index += 1) {
    say(`message ${index + 1} of ${MESSAGES}`);
    const content = textOf(UNIT_NAMES[index % UNIT_NAMES.length] ?? '', LIMITS.text.message.max);
    const imageUrl = `data:image/png;base64,${picture.toString('base64')}`;
    const sent = await system.sendMessage(owner.userId, { content, ...(index === 0 && { imageUrl }) });
    messageIds.push(sent.id);
    image = sent.imageUrl?.split('/').at(-1) ?? image;
    wayBack = sent.wayBack?.replace('/r/', '') ?? wayBack;
    await act('POST', '/api/replies', { messageId: sent.id, content: textOf('ligature', LIMITS.text.reply.max) });
    await act('PATCH', `/api/messages/${sent.id}`, { isPublic: true });
  }
  return {
    owner,
    admin,
    username: (own as { username: string }).username,
    image,
    wayBack,
    messageIds,
    promptId: (prompt as { id: number }).id,
    picture,
    avatar: await noisePicture(AVATAR_BYTES),
    recording: await cut(system, VOICE_SECONDS),
  };
}

/** By name in the contract. */
function knownIn(world: World, { id: operation, path }: Operation, turn: number): Filling['known'] {
  const { owner, messageIds } = world;
  const messageId = messageIds[turn % messageIds.length];
  const picture = operation === 'updateCurrentUser' ? world.avatar : world.picture;
  const values: Record<string, unknown> = {
    userId: owner.userId,
    messageId,
    id:
      path.includes('/messages/') || path.includes('/message/') ? messageId : path.includes('by-id') ? owner.userId : 1,
    'ids in a row': messageIds.slice(0, LIMITS.bulk).join(','),
    promptId: world.promptId,
    password: 'correct horse',
    currentPassword: 'correct horse',
    confirmPassword: 'another horse',
    newPassword: 'another horse',
    email: `${randomBytes(4).toString('hex')}@mail.example`,
    adminSecret: 'a guess',
    imageUrl: `data:image/png;base64,${picture.toString('base64')}`,
    avatar: `data:image/png;base64,${picture.toString('base64')}`,
    isPreview: 'true',
    duration: String(VOICE_SECONDS),
  };
  for (const [name, thing] of Object.entries(WORLD_NAMES)) values[name] = world[thing];
  if (operation === 'register') Object.assign(values, { username: undefined, confirmPassword: 'correct horse' });
  return (name) => values[name];
}

function bodyOf(
  { id, bodies }: Operation,
  type: string,
  filling: Filling,
  world: World,
): string | FormData | undefined {
  const schema = bodies.get(type);
  if (schema === undefined) return undefined;
  const value = fill(schema, '', filling) as Record<string, unknown>;
  if (id === 'register') value['username'] = `u${randomBytes(6).toString('hex')}`;
  if (Array.isArray(value['ids'])) value['ids'] = world.messageIds.slice(0, (value['ids'] as unknown[]).length);
  if (type !== 'multipart/form-data') return JSON.stringify(value);
  const form = new FormData();
  for (const [name, part] of Object.entries(value)) form.set(name, String(part));
  const { body } = ROUTES[id as keyof typeof ROUTES] as Route;
  if ('file' in body) {
    form.delete(body.file.part);
    const content =
      body.file.part === 'audio' ? world.recording : id === 'updateCurrentUser' ? world.avatar : world.picture;
    form.set(body.file.part, new File([new Uint8Array(content)], 'file', { type: 'application/octet-stream' }));
  }
  return form;
}

interface Measured {
  operation: string;
  unit: string;
  service: string;
  milliseconds: number;
  /** With the code of a refusal. */
  answer: string;
  characters: string;
}

/** Each call with its largest input, and how long it held each service's loop. */
async function measure(system: TestSystem, world: World, say: (what: string) => void): Promise<Measured[]> {
  const services = await processesByService();
  const measured: Measured[] = [];
  let turn = 0;

  const callerOf = async ({ id, roles }: Operation): Promise<Person> => {
    if (ENDING.has(id)) return newPerson(system, 'user');
    return roles.includes('user') ? world.owner : world.admin;
  };

  /** @returns status and holds by service */
  const once = async (operation: Operation, type: string, filling: Omit<Filling, 'known'>) => {
    const person = await callerOf(operation);
    turn += 1;
    const whole = { ...filling, known: knownIn(world, operation, turn) };
    const body = bodyOf(operation, type, whole, world);
    await longestHolds(services);
    const response = await fetch(`${system.url}${targetOf(operation, whole)}`, {
      method: operation.method,
      headers: {
        ...headersOf(person, system),
        ...(type === 'application/json' && { 'content-type': type }),
      },
      ...(body !== undefined && { body }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    const [, code = ''] = /"code":"(\w+)"/.exec(response.ok ? '' : text) ?? [];
    return {
      status: response.status,
      answer: `${response.status} ${code}`.trim(),
      holds: await longestHolds(services),
    };
  };

  /** Stops early if clearly short. */
  const leastOf = async (
    operation: Operation,
    type: string,
    filling: Pick<Filling, 'unit' | 'choice'>,
  ): Promise<Measured> => {
    const attempt = async (share: number) => {
      const { status, answer, holds } = await once(operation, type, { ...filling, share });
      const [service = '', milliseconds = 0] = Object.entries(holds).toSorted((a, b) => b[1] - a[1])[0] ?? [];
      return { status, answer, service, milliseconds };
    };
    let share = 1;
    let least = await attempt(share);
    for (const smaller of SHARES) {
      if (least.status !== 422 && least.status !== 413) break;
      share = smaller;
      least = await attempt(share);
    }
    for (let count = 1; count < TRIES && least.milliseconds > MAX_MS / 2; count += 1) {
      const again = await attempt(share);
      if (again.milliseconds < least.milliseconds) least = again;
    }
    const name = type === 'multipart/form-data' ? `${operation.id} (form)` : operation.id;
    return { ...least, operation: name, unit: filling.unit, characters: share === 1 ? 'all' : `${share * 100} %` };
  };

  const all = operations
    .filter(({ id }) => id.includes(WANTED))
    // Deletions last.
    .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
  for (const operation of all) {
    const types = operation.bodies.size > 0 ? [...operation.bodies.keys()] : [''];
    const units = hasTexts(operation) ? UNIT_NAMES : UNIT_NAMES.slice(0, 1);
    for (const type of types) {
      // In forms, files are the expensive part.
      const rounds =
        type === 'multipart/form-data' ? 1 : Math.min(MAX_ROUNDS, Math.max(units.length, choicesOf(operation)));
      for (let choice = 0; choice < rounds; choice += 1) {
        const unit = units[choice % units.length] ?? '';
        say(`${operation.id} with ${unit}`);
        measured.push(await leastOf(operation, type, { unit, choice }));
      }
    }
  }
  return measured;
}

/** Longest first. */
function worstOf(measured: readonly Measured[]): Measured[] {
  const worst = new Map<string, Measured>();
  for (const one of measured)
    if (one.milliseconds > (worst.get(one.operation)?.milliseconds ?? -1)) worst.set(one.operation, one);
  return [...worst.values()].toSorted((a, b) => b.milliseconds - a.milliseconds);
}

/** Longest hold of an event loop by each operation's most expensive input. */
export const loop: SystemBenchmark = {
  needs: () => ({ env: { RATE_LIMIT_SCALE: '0' }, watchesLoops: true }),
  async run({ system, step }) {
    const say = (what: string): void => step.doing(what);
    const worst = worstOf(await measure(system, await createWorld(system, say), say));
    const lines = worst.map(
      ({ operation, unit, service, milliseconds, answer, characters }) =>
        `${milliseconds.toFixed(1).padStart(7)} ms  ${service.padEnd(9)} ${operation.padEnd(34)} ${unit.padEnd(9)} ${characters.padEnd(5)} ${answer}`,
    );
    process.stderr.write(`${lines.join('\n')}\n`);
    const over = worst.filter(({ milliseconds }) => milliseconds > MAX_MS);
    return {
      bench: 'loop',
      aims: {
        longest_ms: atMost(worst[0]?.milliseconds ?? 0, MAX_MS, 1),
        operations_over_aim: atMost(over.length, 0),
      },
      operations: worst.length,
      taken: worst.filter(({ answer }) => answer.startsWith('2')).length,
      over: over.map(({ operation }) => operation),
    };
  },
};
