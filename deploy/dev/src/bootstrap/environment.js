import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Plain JavaScript without packages: this folder runs before anything is installed or compiled.

/** This folder is equally deep in src and in dist. */
export const checkoutRoot = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * @param {string[]} names
 * @returns {string} the absolute path of a file or folder of the checkout
 */
export const inCheckout = (...names) => path.join(checkoutRoot, ...names);

/**
 * Variables by name, such as those of a process.
 * @typedef {Readonly<Record<string, string | undefined>>} Environment
 */

/**
 * The value of a variable. An empty one counts as unset.
 * @param {Environment} environment
 * @param {string} name
 * @returns {string | undefined}
 */
export function valueOf(environment, name) {
  const value = environment[name];
  return value === '' ? undefined : value;
}

/** The secret that creates administrators: of the environment, or of `npm start` here. Empty if there is none. */
export const localAdminSecret = async () =>
  valueOf(process.env, 'ADMIN_SECRET') ??
  (await readFile(inCheckout('.data/admin-secret'), 'utf8').catch(() => '')).trim();

/** To be fixed by the user. Shown without a stack trace. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError';
}

/**
 * Also true for an error of the compiled copy of this module, whose class is another.
 * @param {unknown} error
 * @returns {error is SetupError}
 */
export const isSetupError = (error) => error instanceof Error && error.name === 'SetupError';

/** The message is a clause such as "there is no Go to compile it with". Another source may work. */
export class Unavailable extends Error {
  /** @override */
  name = 'Unavailable';
}
