import { useEffect, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { LIMITS } from '@najwa/proto/http/client';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import {
  AffixedInput,
  Button,
  Checkbox,
  Field,
  FieldError,
  FieldPair,
  Input,
  InputPrefix,
  PasswordField,
  SiteHost,
  Textarea,
} from '../../ui/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { useHydrated } from '../../lib/hooks.js';
import { semibold, textSize } from '../../theme/index.js';
import type { Registration } from '../../shared/session/index.js';
import { type AuthFormProps, FormHeader, FormStack, SwitchLine } from './form-parts.js';
import { RefusedNotice } from './RefusedNotice.js';
import { faultsOf } from './sign-in-data.js';
import { SwitchTo } from './SwitchTo.js';
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

export function RegisterForm({
  actions,
  typed,
  onLeave,
  passwordVisible,
  onTogglePassword,
  onSwitch,
  refused,
}: AuthFormProps<Registration>) {
  const { t } = useTranslation();
  const termsId = useId();
  const [defaultValues] = useState(() => typed ?? readTyped());
  const [faults] = useState(() => faultsOf(refused?.error));
  const form = useForm<Registration>({ defaultValues, ...(faults && { errors: faults }) });
  const { register, handleSubmit, setError, getValues, formState } = form;
  useEffect(() => () => onLeave(getValues()), [onLeave, getValues]);
  const { errors } = formState;
  const isHydrated = useHydrated();
  /** The browser's own validation, without scripts. It counts code units, the server characters. */
  const plain = ({ min, max }: { min: number; max?: number }) =>
    isHydrated ? {} : { required: min > 0, minLength: min, ...(max !== undefined && { maxLength: 4 * max }) };
  const [isRefused, setRefused] = useState(refused !== undefined);
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

  const submit = handleSubmit(async (form) => {
    setRefused(false);
    const error = await actions.register({
      ...form,
      name: form.name.trim(),
      username: form.username.trim(),
      bio: form.bio.trim(),
    });
    if (!isApiError(error)) return;
    const faults = error.code === 'username_taken' ? { username: 'taken' } : error.fields;
    for (const [field, code] of Object.entries(faults)) {
      if (field in defaultValues) setError(field as keyof Registration, { message: code }, { shouldFocus: true });
    }
  });

  return (
    <FormStack
      method="post"
      action="/auth"
      onSubmit={(event) => void submit(event)}
      noValidate={isHydrated}
      aria-label={t('auth.register.title')}
    >
      <FormHeader>
        <h1>{t('auth.register.title')}</h1>
        <p>{t('auth.register.text')}</p>
      </FormHeader>
      {isRefused && refused !== undefined && <RefusedNotice error={refused.error} />}
      <Field label={t('auth.field.name')} error={describeFault('name', errors.name?.message, t)}>
        {(inputProps) => (
          <Input
            {...inputProps}
            {...fields.name}
            {...plain(LIMITS.text.name)}
            defaultValue={refused?.kept['name']}
            autoComplete="name"
          />
        )}
      </Field>
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
        <PasswordField
          {...fields.password}
          label={t('auth.field.password')}
          error={describeFault('password', errors.password?.message, t)}
          visible={passwordVisible}
          onToggle={onTogglePassword}
          {...plain({ min: LIMITS.password.min })}
          autoComplete="new-password"
        />
        <PasswordField
          {...fields.confirmPassword}
          label={t('auth.field.confirmPassword')}
          error={describeFault('confirmPassword', errors.confirmPassword?.message, t)}
          visible={passwordVisible}
          onToggle={onTogglePassword}
          {...plain({ min: LIMITS.password.min })}
          autoComplete="new-password"
        />
      </FieldPair>
      <Fold open={errors.bio !== undefined || (refused?.kept['bio'] ?? defaultValues.bio) !== ''}>
        <summary>{t('auth.field.bioAdd')}</summary>
        <Field
          label={t('auth.field.bio')}
          optional={t('auth.field.optional')}
          error={describeFault('bio', errors.bio?.message, t)}
        >
          {(inputProps) => (
            <Textarea
              {...inputProps}
              {...fields.bio}
              {...plain(LIMITS.text.bio)}
              defaultValue={refused?.kept['bio']}
              rows={2}
              placeholder={t('auth.field.bioPlaceholder')}
            />
          )}
        </Field>
      </Fold>
      <div>
        <Terms>
          <Checkbox
            {...fields.terms}
            defaultChecked={refused?.kept['terms'] !== undefined}
            required={!isHydrated}
            aria-invalid={errors.terms !== undefined}
            aria-describedby={errors.terms === undefined ? undefined : termsId}
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
        {errors.terms !== undefined && (
          <FieldError id={termsId}>{describeFault('terms', errors.terms.message, t)}</FieldError>
        )}
      </div>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        block
        busy={actions.pending ? t('auth.register.pending') : undefined}
      >
        {t('auth.register.submit')}
      </Button>
      <SwitchLine>
        {t('auth.register.switch')}{' '}
        <SwitchTo page="/auth?tab=login" onSwitch={onSwitch}>
          {t('auth.register.switchLink')}
        </SwitchTo>
      </SwitchLine>
    </FormStack>
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
