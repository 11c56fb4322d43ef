import { type ComponentProps, useId } from 'react';
import { LIMITS } from '@najwa/proto/http/client';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import {
  AffixedInput,
  Checkbox,
  Field,
  FieldError,
  FieldPair,
  InputField,
  InputPrefix,
  PasswordField,
  SiteHost,
  TextareaField,
} from '../../ui/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { showFaults } from '../../ui/show-faults.js';
import { useHydrated } from '../../lib/hooks.js';
import { semibold, textSize } from '../../theme/index.js';
import type { Registration } from '../../shared/session/index.js';
import { AuthForm, type AuthFormProps, useAuthForm } from './AuthForm.js';
import { isTicked, typedInto } from './typed-into.js';

/** Input from before the scripts ran. */
const readTyped = (): Registration => ({
  name: typedInto('name'),
  username: typedInto('username'),
  password: typedInto('password'),
  confirmPassword: typedInto('confirmPassword'),
  bio: typedInto('bio'),
  terms: isTicked('terms'),
});

/** Open in a new tab, so that the form keeps its content. */
const TERMS_LINKS: Record<number, string> = { 1: '/terms', 3: '/privacy' };

export function RegisterForm(props: AuthFormProps<Registration>) {
  const { actions, passwordVisible, onTogglePassword, onSwitch, refused } = props;
  const { t } = useTranslation();
  const { register, setError, formState, defaultValues, refusal, submitBy } = useAuthForm(props, readTyped);
  const { errors } = formState;
  const isHydrated = useHydrated();
  /** The browser's own validation, without scripts. It counts code units, the server characters. */
  const plain = ({ min, max }: { min: number; max?: number }) =>
    isHydrated ? {} : { required: min > 0, minLength: min, ...(max !== undefined && { maxLength: 4 * max }) };
  // In visual order: the first invalid field gets the focus.
  const fields = {
    name: register('name', { validate: accountRules.name }),
    username: register('username', { validate: (value) => accountRules.username(value.trim()) }),
    password: register('password', { validate: accountRules.password, deps: ['confirmPassword'] }),
    confirmPassword: register('confirmPassword', {
      validate: (value, form) => accountRules.same(value, form.password),
    }),
    bio: register('bio', { validate: accountRules.bio }),
    terms: register('terms', { validate: accountRules.terms }),
  };
  const ofPassword = (name: 'password' | 'confirmPassword') => ({
    ...fields[name],
    label: t(`auth.field.${name}`),
    error: describeFault(name, errors[name]?.message, t),
    visible: passwordVisible,
    onToggle: onTogglePassword,
    ...plain({ min: LIMITS.password.min }),
    autoComplete: 'new-password',
  });

  const submit = submitBy(async (form) => {
    const { name, username, bio } = form;
    const error = await actions.register({ ...form, name: name.trim(), username: username.trim(), bio: bio.trim() });
    showFaults(error, defaultValues, setError);
  });

  return (
    <AuthForm name="register" actions={actions} refusal={refusal} onSubmit={submit} onSwitch={onSwitch}>
      <InputField
        {...fields.name}
        {...plain(LIMITS.text.name)}
        label={t('auth.field.name')}
        error={describeFault('name', errors.name?.message, t)}
        defaultValue={refused?.kept['name']}
        autoComplete="name"
      />
      <Field
        label={t('auth.field.username')}
        hint={t('auth.field.usernameHint')}
        error={describeFault('username', errors.username?.message, t)}
      >
        {(inputProps) => (
          <AffixedInput dir="ltr">
            <InputPrefix>
              <SiteHost />
              /m/
            </InputPrefix>
            <input
              {...inputProps}
              {...fields.username}
              {...plain(LIMITS.username)}
              defaultValue={refused?.kept['username']}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          </AffixedInput>
        )}
      </Field>
      <FieldPair>
        <PasswordField {...ofPassword('password')} />
        <PasswordField {...ofPassword('confirmPassword')} />
      </FieldPair>
      <Fold open={errors.bio !== undefined || (refused?.kept['bio'] ?? defaultValues.bio) !== ''}>
        <summary>{t('auth.field.bioAdd')}</summary>
        <TextareaField
          {...fields.bio}
          {...plain(LIMITS.text.bio)}
          label={t('auth.field.bio')}
          optional={t('auth.field.optional')}
          error={describeFault('bio', errors.bio?.message, t)}
          defaultValue={refused?.kept['bio']}
          rows={2}
          placeholder={t('auth.field.bioPlaceholder')}
        />
      </Fold>
      <TermsField
        {...fields.terms}
        error={describeFault('terms', errors.terms?.message, t)}
        defaultChecked={refused?.kept['terms'] !== undefined}
        required={!isHydrated}
      />
    </AuthForm>
  );
}

function TermsField({ error, ...input }: ComponentProps<'input'> & { error: string | undefined }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div>
      <Terms>
        <Checkbox
          {...input}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : id}
        />
        <span>
          {t('auth.field.terms')
            .split(/[[\]]/)
            .map((part, index) => {
              const path = TERMS_LINKS[index];
              if (path === undefined) return part;
              return (
                <a key={path} href={path} target="_blank" rel="noopener">
                  {part}
                </a>
              );
            })}
        </span>
      </Terms>
      {error !== undefined && <FieldError id={id}>{error}</FieldError>}
    </div>
  );
}

/** The button is in view on a phone. */
const Fold = styled.details`
  summary {
    inline-size: fit-content;
    min-block-size: 44px;
    padding-block: 8px;
    color: var(--ink-2);
    ${semibold}
    ${textSize('16px', '14px')}
    cursor: pointer;
  }
`;

const Terms = styled.label`
  display: flex;
  gap: 12px;
  align-items: flex-start;
  cursor: pointer;
  line-height: 1.6;
  > input {
    margin-block-start: 3px;
  }
  :lang(en) & > input {
    margin-block-start: 1px;
  }
  a {
    color: var(--violet-text);
    text-decoration: underline;
    text-underline-offset: 4px;
  }
`;
