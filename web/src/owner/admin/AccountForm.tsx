import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import { Button, Checkbox, Field, FieldPair, Input, PasswordField, Stack } from '../../ui/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import type { NewAdministrator } from './types.js';
import { useKept } from '../../shared/session/index.js';
import { isWrongSecret, useCreateAdministrator } from './use-create-administrator.js';

const EMPTY: NewAdministrator = {
  adminSecret: '',
  name: '',
  username: '',
  email: '',
  password: '',
  createVerified: true,
  role: 'administrator',
};

export function AccountForm() {
  const { t } = useTranslation();
  const { create, creating } = useCreateAdministrator();
  const [secretVisible, setSecretVisible] = useState(false);
  // Without what is secret.
  const kept = useKept<Pick<NewAdministrator, 'name' | 'username' | 'email'>>('account');
  const [defaultValues] = useState(() => ({ ...EMPTY, ...kept.read() }));
  const { register, control, handleSubmit, getValues, setError, formState } = useForm({ defaultValues });
  const { errors } = formState;
  // In visual order: the first invalid field gets the focus.
  const fields = {
    adminSecret: register('adminSecret', { validate: accountRules.adminSecret }),
    name: register('name', { validate: accountRules.name }),
    username: register('username', { validate: (value) => accountRules.username(value.trim()) }),
    email: register('email', { validate: accountRules.email }),
    password: register('password', { validate: accountRules.adminPassword }),
  };

  const show = (error: unknown) => {
    if (isWrongSecret(error)) {
      setError('adminSecret', { message: 'wrong' }, { shouldFocus: true });
    } else if (isApiError(error)) {
      const faults = error.code === 'username_taken' ? { username: 'taken' } : error.fields;
      for (const [field, code] of Object.entries(faults)) {
        if (field in EMPTY) setError(field as keyof NewAdministrator, { message: code }, { shouldFocus: true });
      }
    }
  };

  const submit = handleSubmit(async (form) => {
    const [name = '', username = '', email = ''] = [form.name, form.username, form.email].map((text) => text.trim());
    const error = await create({ ...form, name, username, email });
    if (error === undefined) kept.keep(null);
    else show(error);
  });

  return (
    <Stack
      as="form"
      onSubmit={(event) => void submit(event)}
      onChange={() => {
        const { name, username, email } = getValues();
        kept.keep({ name, username, email });
      }}
      noValidate
      aria-label={t('admin.account.title')}
    >
      <PasswordField
        {...fields.adminSecret}
        label={t('admin.account.secret')}
        error={describeFault('adminSecret', errors.adminSecret?.message, t, { wrong: t('admin.account.wrongSecret') })}
        visible={secretVisible}
        onToggle={() => setSecretVisible((visible) => !visible)}
        autoComplete="off"
      />
      <FieldPair>
        <Field label={t('admin.account.name')} error={describeFault('name', errors.name?.message, t)}>
          {(inputProps) => <Input {...inputProps} {...fields.name} autoComplete="off" />}
        </Field>
        <Field label={t('auth.field.username')} error={describeFault('username', errors.username?.message, t)}>
          {(inputProps) => (
            <Input
              {...inputProps}
              {...fields.username}
              dir="ltr"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
      </FieldPair>
      <FieldPair>
        <Field label={t('admin.account.email')} error={describeFault('email', errors.email?.message, t)}>
          {(inputProps) => <Input {...inputProps} {...fields.email} type="email" dir="ltr" autoComplete="off" />}
        </Field>
        <Field label={t('auth.field.password')} error={describeFault('adminPassword', errors.password?.message, t)}>
          {(inputProps) => (
            <Input {...inputProps} {...fields.password} type="password" dir="ltr" autoComplete="new-password" />
          )}
        </Field>
      </FieldPair>
      <Verified>
        <Controller
          control={control}
          name="createVerified"
          render={({ field: { value, onChange, ref, onBlur } }) => (
            <Checkbox
              ref={ref}
              checked={value}
              onBlur={onBlur}
              onCheckedChange={(checked) => onChange(checked === true)}
            />
          )}
        />
        <span>{t('admin.account.verified')}</span>
      </Verified>
      <Verified>
        <Controller
          control={control}
          name="role"
          render={({ field: { value, onChange, ref, onBlur } }) => (
            <Checkbox
              ref={ref}
              checked={value === 'moderator'}
              onBlur={onBlur}
              onCheckedChange={(checked) => onChange(checked === true ? 'moderator' : 'administrator')}
            />
          )}
        />
        <span>{t('admin.account.moderator')}</span>
      </Verified>
      <div>
        <Button type="submit" variant="primary" size="lg" busy={creating ? t('admin.account.pending') : undefined}>
          {t('admin.account.submit')}
        </Button>
      </div>
    </Stack>
  );
}

const Verified = styled.label`
  display: flex;
  align-items: center;
  justify-self: start;
  gap: 12px;
  line-height: 1.6;
  cursor: pointer;
`;
