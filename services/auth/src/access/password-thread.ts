import { lowerThreadPriority } from '@najwa/common/priority';
import { hashSync, verifySync, type Options } from '@node-rs/argon2';
import { workerData } from 'piscina';

/* Piscina loads a file and passes one argument. */

// A flood of logins must not slow other requests.
lowerThreadPriority();

export const hash = (password: string): string => hashSync(password, workerData as Options);

export const verify = ({ passwordHash, password }: { passwordHash: string; password: string }): boolean =>
  verifySync(passwordHash, password);
