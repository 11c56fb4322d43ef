import { type ComponentProps, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Button, Checkbox, FieldPair, InputField, PasswordField, Stack } from '../../ui/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { showFaults } from '../../ui/show-faults.js';
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
  const { register, control, handleSubmit, getValues, setValue, setError, formState } = useForm({ defaultValues });
  const [createVerified, role] = useWatch({ control, name: ['createVerified', 'role'] });
  const { errors } = formState;
  // In visual order: the first invalid field gets the focus.
  const fields = {
    adminSecret: register('adminSecret', { validate: accountRules.adminSecret }),
    name: register('name', { validate: accountRules.name }),
    username: register('username', { validate: (value) => accountRules.username(value.trim()) }),
    email: register('email', { validate: accountRules.email }),
    password: register('password', { validate: accountRules.adminPassword }),
  };

  const submit = handleSubmit(async (form) => {
    const [name = '', username = '', email = ''] = [form.name, form.username, form.email].map((text) => text.trim());
    const error = await create({ ...form, name, username, email });
    if (error === undefined) kept.keep(null);
    else if (isWrongSecret(error)) setError('adminSecret', { message: 'wrong' }, { shouldFocus: true });
    else showFaults(error, EMPTY, setError);
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
        <InputField
          {...fields.name}
          label={t('admin.account.name')}
          error={describeFault('name', errors.name?.message, t)}
          autoComplete="off"
        />
        <InputField
          {...fields.username}
          label={t('auth.field.username')}
          error={describeFault('username', errors.username?.message, t)}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </FieldPair>
      <FieldPair>
        <InputField
          {...fields.email}
          label={t('admin.account.email')}
          error={describeFault('email', errors.email?.message, t)}
          type="email"
          dir="ltr"
          autoComplete="off"
        />
        <InputField
          {...fields.password}
          label={t('auth.field.password')}
          error={describeFault('adminPassword', errors.password?.message, t)}
          type="password"
          dir="ltr"
          autoComplete="new-password"
        />
      </FieldPair>
      <Check
        label={t('admin.account.verified')}
        checked={createVerified}
        onCheckedChange={(isOn) => setValue('createVerified', isOn)}
      />
      <Check
        label={t('admin.account.moderator')}
        checked={role === 'moderator'}
        onCheckedChange={(isOn) => setValue('role', isOn ? 'moderator' : 'administrator')}
      />
      <div>
        <Button type="submit" variant="primary" size="lg" busy={creating ? t('admin.account.pending') : undefined}>
          {t('admin.account.submit')}
        </Button>
      </div>
    </Stack>
  );
}

function Check({ label, ...box }: ComponentProps<typeof Checkbox> & { label: string }) {
  return (
    <Label>
      <Checkbox {...box} />
      <span>{label}</span>
    </Label>
  );
}

const Label = styled.label`
  display: flex;
  align-items: center;
  justify-self: start;
  gap: 12px;
  line-height: 1.6;
  cursor: pointer;
`;
