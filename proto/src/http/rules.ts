import type { FieldFault } from './errors.js';
import { LIMITS } from './limits.js';
import { cleanText, countCharacters, type TextBounds } from './text.js';

/** Normalises, or returns the fault. Shared by client and server. */
export type Rule = (raw: string) => { value: string } | { fault: FieldFault };

const written =
  (bounds: TextBounds): Rule =>
  (raw) => {
    const result = cleanText(raw, bounds);
    return 'text' in result ? { value: result.text } : result;
  };

/** Not normalised. The lower limit counts grapheme clusters. */
const secret =
  ({ min, max }: TextBounds): Rule =>
  (raw) => {
    if (raw === '') return { fault: 'required' };
    if (raw.length > max) return { fault: 'too_long' };
    return countCharacters(raw) < min ? { fault: 'too_short' } : { value: raw };
  };

const username: Rule = (raw) => {
  const value = raw.trim();
  if (value === '') return { fault: 'required' };
  if (value.length < LIMITS.username.min) return { fault: 'too_short' };
  if (value.length > LIMITS.username.max) return { fault: 'too_long' };
  // Browsers rewrite paths of dots alone (/m/..).
  if (!/^[A-Za-z0-9._-]+$/.test(value) || !/[A-Za-z0-9]/.test(value)) return { fault: 'forbidden_characters' };
  return { value };
};

/** Chat apps cut off a final dot. Readers overlook a doubled one. */
const MISPLACED_DOT = /^\.|\.\.|\.$/;

/** For registration, not for lookups. */
const newUsername: Rule = (raw) => {
  const result = username(raw);
  if ('fault' in result) return result;
  if (MISPLACED_DOT.test(result.value)) return { fault: 'misplaced_dot' };
  return isReservedUsername(result.value) ? { fault: 'reserved' } : result;
};

/** No consecutive dots before the @, and a domain with a dot. */
const EMAIL = /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** Lower case, since mail services ignore case. */
const email: Rule = (raw) => {
  const trimmed = raw.trim();
  if (trimmed === '') return { fault: 'required' };
  if (trimmed.length > LIMITS.email.max) return { fault: 'too_long' };
  const value = trimmed.normalize('NFC').toLowerCase();
  return EMAIL.test(value) ? { value } : { fault: 'not_an_email' };
};

const BETWEEN_WORDS = /[,،，、;؛；\t\n\r\v\f\u0085\u2028\u2029]/;

/** Of a pasted list: commas, semicolons or line breaks. */
export const splitFilterWords = (pasted: string): string[] =>
  pasted
    .split(BETWEEN_WORDS)
    .map((word) => word.trim().normalize('NFC'))
    .filter((word) => word !== '');

const texts = Object.fromEntries(
  Object.entries(LIMITS.text).map(([name, bounds]) => [name, written(bounds)]),
) as Record<keyof typeof LIMITS.text, Rule>;

export const RULES = {
  ...texts,
  username,
  newUsername,
  email,
  password: secret(LIMITS.password),
  adminPassword: secret(LIMITS.adminPassword),
  adminSecret: secret(LIMITS.adminSecret),
  /** May be older than the current minimum length. */
  currentPassword: secret({ min: 1, max: LIMITS.password.max }),
} satisfies Record<string, Rule>;

/** Names with the same skeleton look alike: only one may exist. */
export const usernameSkeleton = (name: string): string => name.toLowerCase().replaceAll('.', '');

/** Old names may have outer dots, which links lose. Skeletons are unique, so no other account can match. */
export const isNameInLink = (name: string, username: string): boolean =>
  withoutOuterDots(name) === withoutOuterDots(username);

const withoutOuterDots = (name: string): string => name.toLowerCase().replace(/^\.+|\.+$/g, '');

/** Pages, system components, and names that suggest the operators. */
const RESERVED = new Set(
  `about account accounts admin administrator admins anonymous api assets assistant auth billing blog by-id by_id
  chat contact cookies developer download everyone faq favicon feedback help home image info legal login logout mail
  me media message messages mod moderator najwa najwaa najwateam najwa-team news null official owner postmaster
  privacy profile receiving register replies root security settings signin signup staff static status stories story
  superuser support system team terms undefined user users verified webmaster www`
    .split(/\s+/)
    .map(usernameSkeleton),
);

export const isReservedUsername = (name: string): boolean => RESERVED.has(usernameSkeleton(name));

/** Ages in days that a recipient may require. Coarse: finer steps would reveal a sender's age by halving. */
export const AGE_STEPS = [1, 7, 30, 90, 365] as const;

/** The step that stands for an age. */
export const ageStepOf = (days: number): number => AGE_STEPS.find((step) => step >= days) ?? LIMITS.minimumDays.max;
