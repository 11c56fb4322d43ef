import type { TFunction } from 'i18next';
import { readText } from './text.js';

const NAME_LIMIT = 60;
const BIO_LIMIT = 300;
const USERNAME = { min: 3, max: 30, pattern: /^[A-Za-z0-9._-]+$/ };
const PASSWORD = { min: 8, max: 128 };
/** Administrators' passwords may be shorter, because creating one needs the secret. */
const ADMIN_PASSWORD = { ...PASSWORD, min: 6 };
const ADMIN_SECRET = { min: 1, max: 1024 };
const EMAIL = { min: 1, max: 254, pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/ };

type Rule = (value: string) => string | true;

const first =
  (...rules: Rule[]): Rule =>
  (value) =>
    rules.map((rule) => rule(value)).find((answer) => answer !== true) ?? true;

/** Validation rules for account fields. Each returns true or an error text. */
export function createRules(t: TFunction) {
  const filled: Rule = (value) => value !== '' || t('auth.fault.required');
  const written: Rule = (value) => value.trim() !== '' || t('auth.fault.required');
  const atLeast =
    (count: number): Rule =>
    (value) =>
      value.length >= count || t('auth.fault.tooShort', { count });
  const atMost =
    (count: number): Rule =>
    (value) =>
      readText(value, count).fault !== 'too_long' || t('auth.fault.tooLong', { count });

  /** A secret is not trimmed or normalised. */
  const secret = ({ min, max }: { min: number; max: number }) =>
    first(filled, atLeast(min), (value) => value.length <= max || t('auth.fault.tooLong', { count: max }));

  return {
    present: filled,
    name: first(written, atMost(NAME_LIMIT)),
    username: first(
      written,
      atLeast(USERNAME.min),
      atMost(USERNAME.max),
      (value) => USERNAME.pattern.test(value) || t('auth.fault.username'),
    ),
    password: secret(PASSWORD),
    adminPassword: secret(ADMIN_PASSWORD),
    adminSecret: secret(ADMIN_SECRET),
    same: (value: string, password: string) => value === password || t('auth.fault.passwordsDiffer'),
    bio: atMost(BIO_LIMIT),
    email: first(written, atMost(EMAIL.max), (value) => EMAIL.pattern.test(value.trim()) || t('auth.fault.email')),
    terms: (value: boolean) => value || t('auth.fault.terms'),
  };
}

const LIMITS: Record<string, { min: number; max: number }> = {
  name: { min: 1, max: NAME_LIMIT },
  username: USERNAME,
  password: PASSWORD,
  newPassword: PASSWORD,
  currentPassword: PASSWORD,
  adminPassword: ADMIN_PASSWORD,
  adminSecret: ADMIN_SECRET,
  email: EMAIL,
  bio: { min: 0, max: BIO_LIMIT },
};

/** Translates the server's error code for a field. */
export function describeFault(field: string, code: string, t: TFunction): string {
  const { min, max } = LIMITS[field] ?? { min: 1, max: 0 };
  switch (code) {
    case 'required':
      return t('auth.fault.required');
    case 'too_short':
      return t('auth.fault.tooShort', { count: min });
    case 'too_long':
      return t('auth.fault.tooLong', { count: max });
    case 'taken':
    case 'username_taken':
      return t('auth.fault.usernameTaken');
    case 'reserved':
    case 'username_reserved':
      return t('auth.fault.usernameReserved');
    case 'passwords_differ':
      return t('auth.fault.passwordsDiffer');
    case 'not_an_email':
      return t('auth.fault.email');
    case 'wrong':
      return t('auth.fault.wrongPassword');
    case 'terms_required':
      return t('auth.fault.terms');
    default:
      return field === 'username' ? t('auth.fault.username') : t('auth.fault.invalid');
  }
}
