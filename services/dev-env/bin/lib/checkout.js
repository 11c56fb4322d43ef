import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));

export const inRoot = (...names) => path.join(root, ...names);

/** Something that the person at the terminal has to put right, told without a stack. */
export class SetupFault extends Error {}
