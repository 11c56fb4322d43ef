import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. This file lies equally deep in src and in dist. */
export const checkoutRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** @returns the absolute path of a file or folder of the checkout */
export const inCheckout = (...names: string[]): string => path.join(checkoutRoot, ...names);
