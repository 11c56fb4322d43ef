import { chown } from 'node:fs/promises';

/** The account without rights that every system has. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Runs commands for programs that refuse to run as root. */
export interface Unprivileged {
  command(program: string, args: readonly string[]): { command: string; args: string[] };
  /** Changes the owner of a file or folder to the account that the commands run as. */
  own(file: string): Promise<void>;
}

/** @param user our effective user id; only root needs another account */
export function createUnprivileged(user = process.geteuid?.()): Unprivileged {
  if (user !== 0) return { command: (command, args) => ({ command, args: [...args] }), own: () => Promise.resolve() };
  // The data may be in a folder that only root can enter, so keep dac_override. The securebit makes access(2) respect it too.
  const capabilities = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  const identity = [`--reuid=${NOBODY.uid}`, `--regid=${NOBODY.gid}`, '--clear-groups'];
  return {
    command: (program, args) => ({ command: 'setpriv', args: [...identity, ...capabilities, program, ...args] }),
    own: (file) => chown(file, NOBODY.uid, NOBODY.gid),
  };
}
