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

/** Validation rules for account fields, from the contract. Each returns true or an error text. */
export function createRules(t: Translate) {
  const check = (field: string, rule: Rule) => (value: string) => {
    const result = rule(value);
    return 'fault' in result ? describeFault(field, result.fault, t) : true;
  };

  const rules = Object.fromEntries(Object.entries(RULES).map(([field, rule]) => [field, check(field, rule)])) as Record<
    keyof typeof RULES,
    ReturnType<typeof check>
  >;

  return {
    ...rules,
    username: check('username', RULES.newUsername),
    present: (value: string) => value !== '' || t('auth.fault.required'),
    same: (value: string, password: string) => value === password || t('auth.fault.passwordsDiffer'),
    terms: (value: boolean) => value || t('auth.fault.terms'),
  };
}

/** Translates what is wrong with a field, as the contract's rules and the server name it. */
export function describeFault(field: string, fault: string, t: Translate): string {
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
  };
  return texts[fault as FieldFault] ?? t(field === 'username' ? 'auth.fault.username' : 'auth.fault.invalid');
}
