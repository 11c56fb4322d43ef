import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** By the name to report. Lines are never repeated. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  'a password of the tests': /correct horse|battery staple/i,
  'a password hash': /\$argon2/,
  'a key': /-----BEGIN/,
  'an identity token': /\beyJ[\w-]{8,}\./,
  // 256 bits, base64url. Requiring a digit or dash excludes function names in stacks, and misses one in 3,300.
  'a session token or its hash': /(?<![\w-])(?=\w*[\d-])[\w-]{43}(?![\w-])/,
  // 128 bits, base64url.
  'a way back': /\/(r|ways-back)\/[\w-]{22}(?![\w-])/,
  'an e-mail address': /[\w.+-]+@[\w-]+\.[a-z]{2,}/i,
  'an address': /(?<![\d.])\d{1,3}(\.\d{1,3}){3}(?![\d.])|[\da-f]{1,4}(:[\da-f]{0,4}){3,7}/i,
  // Test content is Arabic, log messages are not.
  'words of a message or a name': /\p{Script=Arabic}/u,
};

export function secretsIn(line: string): string[] {
  return Object.keys(FORBIDDEN).filter((name) => FORBIDDEN[name]?.test(line));
}

const MIN_LINES = 500;

/**
 * Checks debug logs of a run.
 * @param folder one file per service and system
 * @throws for a forbidden pattern, or too few lines
 */
export async function checkLogs(folder: string): Promise<string> {
  const faults = new Map<string, number>();
  let count = 0;
  for (const file of await readdir(folder).catch(() => [])) {
    for (const line of (await readFile(path.join(folder, file), 'utf8')).split('\n')) {
      if (line === '') continue;
      count += 1;
      const service = /-([a-z]+)\.log$/.exec(file)?.[1] ?? file;
      for (const name of secretsIn(line)) {
        const said = /"msg":"([\w ,:'-]{0,60})/.exec(line)?.[1] ?? 'a line without a message';
        const fault = `${service} logs ${name} with “${said}”`;
        faults.set(fault, (faults.get(fault) ?? 0) + 1);
      }
    }
  }
  if (faults.size > 0) throw new Error([...faults].map(([fault, times]) => `${fault}, ${times} times.`).join('\n'));
  if (count < MIN_LINES) throw new Error(`Only ${count} lines were logged, too few for a meaningful check.`);
  return `${count} lines`;
}
