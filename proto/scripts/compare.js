// Says which changes of the contracts since a commit would break a service or a client that is already running.
import { execFile } from 'node:child_process';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkoutRoot, inCheckout, SetupError, Unavailable } from '../../deploy/dev/src/bootstrap/environment.js';
import { provideGoTool } from '../../deploy/dev/src/bootstrap/go-programs.js';

const run = promisify(execFile);
const OASDIFF = { name: 'oasdiff', package: 'github.com/oasdiff/oasdiff' };
/** Level of a change that surely breaks a client. Below it are changes that may. */
const ERROR_LEVEL = 3;
/** buf's exit status if it found something. */
const BUF_FOUND = 100;

/**
 * A breaking change. `surely` is false if it depends on how a client uses the call.
 * @typedef {{ contract: 'services' | 'clients', where: string, what: string, surely: boolean }} Finding
 */

/** Runs a program. @returns its output, also for the statuses that are no failure */
async function outputOf(file, args, statuses) {
  try {
    return (await run(file, args, { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, OASDIFF_NO_TELEMETRY: '1' } }))
      .stdout;
  } catch (error) {
    if (statuses.includes(error.code)) return error.stdout;
    throw new Error(error.stderr || error.message, { cause: error });
  }
}

/** gRPC and events. Both are read by replicas of other versions, events also from queues and outboxes. */
async function compareProtos(before, after) {
  const buf = inCheckout('node_modules/.bin/buf');
  // The rules of the newer side count, as everywhere in the checkout.
  const args = [
    'breaking',
    after,
    '--against',
    before,
    '--error-format',
    'json',
    '--config',
    path.join(after, 'buf.yaml'),
  ];
  const lines = (await outputOf(buf, args, [BUF_FOUND])).split('\n').filter(Boolean);
  return lines.map((line) => {
    const { path: file, start_line: at, message } = JSON.parse(line);
    // A deleted file has no place in the newer contracts.
    const name = file === undefined ? 'proto' : path.relative(after, path.resolve(file));
    return { contract: 'services', where: at ? `${name}:${at}` : name, what: message, surely: true };
  });
}

/** Clients show the status of an error whose code they do not know. */
const isNewErrorCode = (id, text) =>
  id === 'response-property-enum-value-added' && text.includes('to the `code` response property');

/** HTTP. Old web clients stay open for days. */
async function compareOpenApi(before, after, signal) {
  const oasdiff = await provideGoTool(OASDIFF, signal);
  const files = [before, after].map((folder) => path.join(folder, 'openapi.yaml'));
  const changes = JSON.parse((await outputOf(oasdiff, ['breaking', ...files, '--format', 'json'], [])) || '[]') ?? [];
  return changes.map(({ id, operation, path: url, text, level }) => ({
    contract: 'clients',
    where: `${operation} ${url}`,
    what: text.replaceAll('`', '"'),
    surely: level >= ERROR_LEVEL && !isNewErrorCode(id, text),
  }));
}

/**
 * Compares two versions of the folder `proto`.
 * @param {string} before @param {string} after @param {AbortSignal} [signal]
 * @returns {Promise<Finding[]>}
 */
export async function compareContracts(before, after, signal) {
  return [...(await compareProtos(before, after)), ...(await compareOpenApi(before, after, signal))];
}

/**
 * Every change of the HTTP contract between two versions of the folder `proto`.
 * @param {string} before @param {string} after
 * @returns {Promise<string[]>}
 */
export async function listChanges(before, after) {
  const oasdiff = await provideGoTool(OASDIFF);
  const files = [before, after].map((folder) => path.join(folder, 'openapi.yaml'));
  const changes = JSON.parse((await outputOf(oasdiff, ['changelog', ...files, '--format', 'json'], [])) || '[]') ?? [];
  const ofCalls = changes.filter(({ operation }) => operation);
  return [...new Set(ofCalls.map(({ operation, path: url, text }) => `${operation} ${url}: ${text}`))];
}

const HEADINGS = {
  services: 'Breaks a service of the version before, which runs beside this one in a rollout (gRPC and events):',
  clients: 'Breaks a client that is out there (HTTP):',
};

/** @param {Finding[]} findings */
export function describe(findings) {
  const section = (contract) => {
    const found = findings.filter((finding) => finding.contract === contract);
    const lines = [
      ...new Set(found.map(({ where, what, surely }) => `  ${where}: ${what}${surely ? '' : ' (perhaps)'}`)),
    ];
    return lines.length === 0 ? [] : [HEADINGS[contract], ...lines];
  };
  return [...section('services'), ...section('clients')].join('\n');
}

async function main(ref) {
  if (!ref) throw new SetupError('Usage: npm run contracts:compare -- REF, for example origin/main or messages/v1.4.0');
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-contracts-'));
  try {
    const archive = path.join(folder, 'proto.tar');
    const inRoot = { cwd: checkoutRoot };
    await run('git', ['archive', '--output', archive, ref, 'proto'], inRoot).catch((error) => {
      throw new SetupError(`There are no contracts of "${ref}": ${error.stderr.trim()}`);
    });
    await run('tar', ['-xf', archive, '-C', folder]);
    const before = path.join(folder, 'proto');
    await access(path.join(before, 'openapi.yaml')).catch(() => {
      throw new SetupError(`"${ref}" has no proto/openapi.yaml to compare with.`);
    });
    const findings = await compareContracts(before, inCheckout('proto'));
    const isBroken = findings.some(({ surely }) => surely);
    if (findings.length > 0) console.log(describe(findings));
    console.log(isBroken ? `The contracts break what runs with ${ref}.` : `Nothing that runs with ${ref} breaks.`);
    return isBroken ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main(process.argv[2]);
  } catch (error) {
    if (!(error instanceof SetupError || error instanceof Unavailable)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
