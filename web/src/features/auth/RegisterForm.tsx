import { useId, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { isApiError } from '../../app/api-error.js';
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
} from '../../components/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import type { Registration } from '../session/index.js';
import { FormHeader, FormStack, SwitchLine, SwitchLink } from './form-parts.js';
import { typedInto } from './typed-into.js';
import type { AuthActions } from './use-auth-actions.js';

/** Text that was typed before the scripts ran. */
const readTyped = (): Registration => ({
  name: typedInto('name'),
  username: typedInto('username'),
  password: typedInto('password'),
  confirmPassword: typedInto('confirmPassword'),
  bio: typedInto('bio'),
  terms: false,
});

/** Targets of the links in the text. They open another tab, so that the form keeps its content. */
const TERMS_LINKS: Record<number, string> = { 1: '/terms', 3: '/privacy' };

interface Props {
  actions: AuthActions;
  passwordVisible: boolean;
  onTogglePassword: () => void;
  onSwitch: () => void;
}

export function RegisterForm({ actions, passwordVisible, onTogglePassword, onSwitch }: Props) {
  const { t } = useTranslation();
  const termsId = useId();
  const [defaultValues] = useState(readTyped);
  const { register, control, handleSubmit, setError, formState } = useForm<Registration>({ defaultValues });
  const { errors } = formState;
  // Register the fields in their visual order, so that the first invalid one gets the focus.
  const fields = {
    name: register('name', { validate: accountRules.name }),
    username: register('username', { validate: (value) => accountRules.username(value.trim()) }),
    password: register('password', { validate: accountRules.password, deps: ['confirmPassword'] }),
    confirmPassword: register('confirmPassword', {
      validate: (value, form) => accountRules.same(value, form.password),
    }),
    bio: register('bio', { validate: accountRules.bio }),
  };

  const submit = handleSubmit(async (form) => {
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
    <FormStack onSubmit={(event) => void submit(event)} noValidate aria-label={t('auth.register.title')}>
      <FormHeader>
        <h1>{t('auth.register.title')}</h1>
        <p>{t('auth.register.text')}</p>
      </FormHeader>
      <Field label={t('auth.field.name')} error={describeFault('name', errors.name?.message, t)}>
        {(inputProps) => <Input {...inputProps} {...fields.name} autoComplete="name" />}
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
          autoComplete="new-password"
        />
        <PasswordField
          {...fields.confirmPassword}
          label={t('auth.field.confirmPassword')}
          error={describeFault('confirmPassword', errors.confirmPassword?.message, t)}
          visible={passwordVisible}
          onToggle={onTogglePassword}
          autoComplete="new-password"
        />
      </FieldPair>
      <Field
        label={t('auth.field.bio')}
        optional={t('auth.field.optional')}
        error={describeFault('bio', errors.bio?.message, t)}
      >
        {(inputProps) => (
          <Textarea {...inputProps} {...fields.bio} rows={2} placeholder={t('auth.field.bioPlaceholder')} />
        )}
      </Field>
      <div>
        <Terms>
          <Controller
            control={control}
            name="terms"
            rules={{ validate: accountRules.terms }}
            render={({ field: { value, onChange, ref, onBlur } }) => (
              <Checkbox
                ref={ref}
                checked={value}
                onBlur={onBlur}
                onCheckedChange={(checked) => {
                  onChange(checked === true);
                }}
                aria-invalid={errors.terms !== undefined}
                aria-describedby={errors.terms === undefined ? undefined : termsId}
              />
            )}
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
        <SwitchLink type="button" onClick={onSwitch}>
          {t('auth.register.switchLink')}
        </SwitchLink>
      </SwitchLine>
    </FormStack>
  );
}

const Terms = styled.label`
  display: flex;
  gap: 12px;
  align-items: flex-start;
  cursor: pointer;
  line-height: 1.6;
  > button {
    margin-block-start: 3px;
  }
  :lang(en) & > button {
    margin-block-start: 1px;
  }
  a {
    color: var(--violet-text);
    text-decoration: underline;
    text-underline-offset: 4px;
  }
`;
