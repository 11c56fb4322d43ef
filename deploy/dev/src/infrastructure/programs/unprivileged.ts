import { chown } from 'node:fs/promises';

const UNPRIVILEGED_USER = { uid: 65_534, gid: 65_534 };

/** For programs that refuse to run as root. */
export interface Unprivileged {
  command(program: string, args: readonly string[]): { command: string; args: string[] };
  /** To the account of the commands. */
  own(file: string): Promise<void>;
}

/** @param user effective user id; only root needs another account */
export function createUnprivileged(user = process.geteuid?.()): Unprivileged {
  if (user !== 0) return { command: (command, args) => ({ command, args: [...args] }), own: () => Promise.resolve() };
  // dac_override: the data may be in a folder that only root can enter. The securebit applies it to access(2).
  const capabilities = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  const identity = [`--reuid=${UNPRIVILEGED_USER.uid}`, `--regid=${UNPRIVILEGED_USER.gid}`, '--clear-groups'];
  return {
    command: (program, args) => ({ command: 'setpriv', args: [...identity, ...capabilities, program, ...args] }),
    own: (file) => chown(file, UNPRIVILEGED_USER.uid, UNPRIVILEGED_USER.gid),
  };
}
