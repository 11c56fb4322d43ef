import { appendFile, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { inCheckout, SetupError } from './environment.js';
import { createKeys, createPassword } from './keys.js';

/** @typedef {Record<string, string>} Variables */

/** @type {(variables: Variables) => string} */
const formatVariables = (variables) =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

/** @returns {Record<string, Variables>} the variables of each Secret of the local overlay, by its name */
function kubernetesSecrets() {
  const keys = createKeys();
  const { mongodb, rabbitmq, minio } = keys.stores;
  const mongo = { MONGO_URL: `mongodb://${mongodb.user}:${mongodb.password}@mongodb:27017/?authSource=admin` };
  const amqp = { AMQP_URL: `amqp://${rabbitmq.user}:${rabbitmq.password}@rabbitmq:5672` };
  return {
    'public-keys': { IDENTITY_PUBLIC_KEY: keys.identity.publicKey, SERVICE_PUBLIC_KEYS: keys.servicePublicKeys },
    gateway: { IDENTITY_PRIVATE_KEY: keys.identity.privateKey, SERVICE_PRIVATE_KEY: keys.services.gateway, ...amqp },
    auth: { SERVICE_PRIVATE_KEY: keys.services.auth, ACCOUNT_KEYS: keys.accountKey, ...mongo, ...amqp },
    messages: {
      SERVICE_PRIVATE_KEY: keys.services.messages,
      MODERATION_KEYS: keys.moderationKey,
      SENDER_KEYS: keys.senderKey,
      PUSH_KEYS: keys.pushKey,
      ...mongo,
      ...amqp,
    },
    media: {
      SENDER_KEYS: keys.senderKey,
      ...mongo,
      ...amqp,
      S3_ENDPOINT: 'http://minio:9000',
      S3_ACCESS_KEY: minio.user,
      S3_SECRET_KEY: minio.password,
    },
    tracking: { SENDER_KEYS: keys.senderKey, ...mongo, ...amqp },
    chatbot: { SERVICE_PRIVATE_KEY: keys.services.chatbot, ...mongo, ...amqp },
    admin: { SERVICE_PRIVATE_KEY: keys.services.admin, ADMIN_SECRET: keys.adminSecret, ...mongo },
    mongodb: {
      MONGO_INITDB_ROOT_USERNAME: mongodb.user,
      MONGO_INITDB_ROOT_PASSWORD: mongodb.password,
      // Shared by a replica set, with fewer characters allowed.
      MONGO_KEYFILE: createPassword().replaceAll(/[-_]/g, ''),
    },
    rabbitmq: {
      RABBITMQ_DEFAULT_USER: rabbitmq.user,
      RABBITMQ_DEFAULT_PASS: rabbitmq.password,
      RABBITMQ_ERLANG_COOKIE: createPassword(),
    },
    minio: { MINIO_ROOT_USER: minio.user, MINIO_ROOT_PASSWORD: minio.password },
  };
}

/** Independent of others, so a later version can add them. */
const ADDABLE = /^(?!SERVICE_)\w+_KEYS$|^S3_ACCESS_KEY$/;

/**
 * Adds the secrets of a later version to existing files. One that several files share has one value.
 * @param {[file: string, variables: Variables][]} wanted
 * @returns {Promise<string[]>} names of what was added
 * @throws {SetupError} if one is missing that belongs to others
 */
async function addMissing(wanted) {
  const files = await Promise.all(
    wanted.map(async ([file, variables]) => {
      const existing = parseEnv(await readFile(file, 'utf8').catch(() => ''));
      const missing = Object.keys(variables).filter((name) => !Object.hasOwn(existing, name));
      return { file, variables, existing, missing };
    }),
  );
  const missing = [...new Set(files.flatMap((one) => one.missing))];
  const alone = missing.filter((name) => !ADDABLE.test(name));
  if (alone.length > 0)
    throw new SetupError(`The existing secrets lack ${alone.join(', ')}. Add them, or have all of them made again.`);
  /** @type {Variables} */
  const values = Object.assign({}, ...wanted.map(([, variables]) => variables), ...files.map((one) => one.existing));
  for (const { file, missing: names } of files)
    await appendFile(file, formatVariables(Object.fromEntries(names.map((name) => [name, values[name] ?? '']))));
  return missing;
}

/** @type {(added: string[], place: string) => string} */
const sentenceOf = (added, place) =>
  added.length === 0 ? `The secrets are there already: ${place}` : `Added ${added.join(', ')} to the secrets: ${place}`;

/**
 * Writes the files from which the local overlay makes its Secrets, one for each, readable by their owner only. Existing
 * ones stay, because the data of a running deployment belongs to them, and get what they lack.
 * @returns {Promise<string>} what was done, as a sentence
 */
export async function writeKubernetesSecrets(folder = inCheckout('deploy/k8s/overlays/local/secrets')) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const wanted = Object.entries(kubernetesSecrets()).map(
    ([name, variables]) => /** @type {[string, Variables]} */ ([path.join(folder, `${name}.env`), variables]),
  );
  if ((await readdir(folder)).length > 0) return sentenceOf(await addMissing(wanted), folder);
  for (const [file, variables] of wanted) await writeFile(file, formatVariables(variables), { mode: 0o600 });
  return `Made new secrets: ${folder}`;
}

/**
 * Makes the Secrets in the cluster in which it runs. A first one has all of them, so that each try makes the same.
 * @returns {Promise<string>} what was done, as a sentence
 */
async function createClusterSecrets(folder = '/api-access') {
  const [token, namespace] = await Promise.all(
    ['token', 'namespace'].map((name) => readFile(`${folder}/${name}`, 'utf8')),
  );
  const url = `https://kubernetes.default.svc/api/v1/namespaces/${namespace}/secrets`;
  /** @type {(name: string, stringData: Variables) => Promise<boolean>} false if it is there */
  const create = async (name, stringData) => {
    const labels = { 'app.kubernetes.io/part-of': 'najwa' };
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name, labels }, stringData });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { status } = await fetch(url, { method: 'POST', headers, body });
    if (![201, 409].includes(status)) throw new SetupError(`The Secret ${name} was refused with status ${status}.`);
    return status === 201;
  };
  let secrets = kubernetesSecrets();
  if (!(await create('najwa', { secrets: JSON.stringify(secrets) }))) {
    const answer = await fetch(`${url}/najwa`, { headers: { authorization: `Bearer ${token}` } });
    const { data } = /** @type {{ data: Variables }} */ (await answer.json());
    secrets = JSON.parse(Buffer.from(data['secrets'] ?? '', 'base64').toString());
  }
  for (const [name, variables] of Object.entries(secrets)) await create(name, variables);
  return 'The Secrets are there.';
}

/** @returns {Variables} the secrets of .env, which docker-compose.yml reads */
function composeSecrets() {
  const keys = createKeys();
  const { mongodb, rabbitmq, minio } = keys.stores;
  return {
    IDENTITY_PRIVATE_KEY: keys.identity.privateKey,
    IDENTITY_PUBLIC_KEY: keys.identity.publicKey,
    ...Object.fromEntries(
      Object.entries(keys.services).map(([name, key]) => [`${name.toUpperCase()}_PRIVATE_KEY`, key]),
    ),
    SERVICE_PUBLIC_KEYS: keys.servicePublicKeys,
    ADMIN_SECRET: keys.adminSecret,
    ACCOUNT_KEYS: keys.accountKey,
    MODERATION_KEYS: keys.moderationKey,
    SENDER_KEYS: keys.senderKey,
    PUSH_KEYS: keys.pushKey,
    MONGO_USER: mongodb.user,
    MONGO_PASSWORD: mongodb.password,
    RABBITMQ_USER: rabbitmq.user,
    RABBITMQ_PASSWORD: rabbitmq.password,
    S3_ACCESS_KEY: minio.user,
    S3_SECRET_KEY: minio.password,
  };
}

/**
 * Writes .env from .env.example, readable by its owner only. An existing one stays, because the data of the volumes
 * belong to it, and gets what it lacks.
 * @param {string} [file]
 * @returns {Promise<string>} what was done, and what comes next
 */
export async function writeComposeSecrets(file = inCheckout('.env')) {
  const done = await writeVariables(file);
  // A container writes as root, and its caller must read it.
  const { uid, gid } = await stat(path.dirname(file));
  if (process.getuid?.() === 0) await chown(file, uid, gid);
  return `${done}\nThe first administrator is made at http://localhost:8080/admin/create,\nwith the secret ADMIN_SECRET in that file.`;
}

/** @type {(file: string) => Promise<string>} */
async function writeVariables(file) {
  let text = await readFile(inCheckout('.env.example'), 'utf8');
  const secrets = composeSecrets();
  for (const [name, value] of Object.entries(secrets))
    text = text.replace(new RegExp(`^${name}=$`, 'm'), () => `${name}=${value}`);
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return sentenceOf(await addMissing([[file, secrets]]), file);
  }
  return `Made new secrets: ${file}`;
}

/** @type {Readonly<Record<string, (place?: string) => Promise<string>>>} */
const TARGETS = { cluster: createClusterSecrets, compose: writeComposeSecrets, kubernetes: writeKubernetesSecrets };

/**
 * Makes the secrets of a way to run the product, once.
 * @param {string} target
 * @param {string} [place] other than in the checkout
 * @returns {Promise<string>} what was done
 * @throws {SetupError} if there is no such target
 */
export function writeSecrets(target, place) {
  const write = Object.hasOwn(TARGETS, target) ? TARGETS[target] : undefined;
  if (!write) throw new SetupError(`Say for what: ${Object.keys(TARGETS).join(' or ')}.`);
  return write(place);
}
