import type { Translate } from '../i18n/index.js';
import { type FieldFault, LIMITS, RULES, type Rule } from '@najwa/proto/http/client';

const BOUNDS: Partial<Record<string, { min: number; max: number }>> = {
  ...LIMITS.text,
  username: LIMITS.username,
  email: LIMITS.email,
  password: LIMITS.password,
  newPassword: LIMITS.password,
  currentPassword: LIMITS.password,
  adminPassword: LIMITS.adminPassword,
  adminSecret: LIMITS.adminSecret,
};

const check = (rule: Rule) => (value: string) => {
  const result = rule(value);
  return 'fault' in result ? result.fault : true;
};

const named = (isMet: boolean, fault: FieldFault) => isMet || fault;

/** Each returns true or the fault, translated when shown: a text would keep its language. */
export const accountRules = {
  ...(Object.fromEntries(Object.entries(RULES).map(([field, rule]) => [field, check(rule)])) as Record<
    keyof typeof RULES,
    ReturnType<typeof check>
  >),
  username: check(RULES.newUsername),
  present: (value: string) => named(value !== '', 'required'),
  same: (value: string, password: string) => named(value === password, 'passwords_differ'),
  terms: (value: boolean) => named(value, 'terms_required'),
};

export function describeFault(
  field: string,
  fault: string | undefined,
  t: Translate,
  own: Partial<Record<FieldFault, string>> = {},
): string | undefined {
  if (fault === undefined) return undefined;
  const { min, max } = BOUNDS[field] ?? { min: 1, max: 0 };
  const texts: Partial<Record<FieldFault, string>> = {
    required: t('auth.fault.required'),
    too_short: t('auth.fault.tooShort', { count: min }),
    too_long: t('auth.fault.tooLong', { count: max }),
    taken: t('auth.fault.usernameTaken'),
    reserved: t('auth.fault.usernameReserved'),
    misplaced_dot: t('auth.fault.usernameDots'),
    passwords_differ: t('auth.fault.passwordsDiffer'),
    not_an_email: t('auth.fault.email'),
    wrong: t('auth.fault.wrongPassword'),
    terms_required: t('auth.fault.terms'),
    ...own,
  };
  return texts[fault as FieldFault] ?? t(field === 'username' ? 'auth.fault.username' : 'auth.fault.invalid');
}
