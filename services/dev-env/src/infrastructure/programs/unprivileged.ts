import { chown } from 'node:fs/promises';

/** An account that every system has, and that may do nothing. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Runs commands for programs that refuse to run as root. */
export interface Unprivileged {
  command(program: string, args: readonly string[]): { command: string; args: string[] };
  /** Gives a file or folder to whom the commands run as. */
  own(file: string): Promise<void>;
}

/** @param user our effective user id: only root has to step down */
export function createUnprivileged(user = process.geteuid?.()): Unprivileged {
  if (user !== 0) return { command: (command, args) => ({ command, args: [...args] }), own: () => Promise.resolve() };
  // The data may lie in a home that only root may enter, so the right to pass is kept; with the last, access(2) heeds it as well.
  const capabilities = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  const identity = [`--reuid=${NOBODY.uid}`, `--regid=${NOBODY.gid}`, '--clear-groups'];
  return {
    command: (program, args) => ({ command: 'setpriv', args: [...identity, ...capabilities, program, ...args] }),
    own: (file) => chown(file, NOBODY.uid, NOBODY.gid),
  };
}
