import { lowerThreadPriority } from '@najwa/common/priority';
import { hashSync, verifySync, type Options } from '@node-rs/argon2';
import { workerData } from 'piscina';

/* The thread that hashes. Piscina takes the path of a file, and gives a function one argument. */

// A flood of logins must not make other requests wait.
lowerThreadPriority();

export const hash = (password: string): string => hashSync(password, workerData as Options);

export const verify = ({ passwordHash, password }: { passwordHash: string; password: string }): boolean =>
  verifySync(passwordHash, password);
