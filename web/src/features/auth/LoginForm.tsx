import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../app/api-error.js';
import { Button, Field, FieldError, Input, PasswordField } from '../../components/index.js';
import { createRules } from '../../lib/account-rules.js';
import type { Credentials } from '../session/index.js';
import { FormHeader, FormStack, SwitchLine, SwitchLink } from './form-parts.js';
import type { AuthActions } from './use-auth-actions.js';

interface Props {
  actions: AuthActions;
  passwordVisible: boolean;
  onTogglePassword: () => void;
  onSwitch: () => void;
}

export function LoginForm({ actions, passwordVisible, onTogglePassword, onSwitch }: Props) {
  const { t } = useTranslation();
  const rules = createRules(t);
  const { register, handleSubmit, setError, formState } = useForm<Credentials>({
    defaultValues: { username: '', password: '' },
  });
  const { errors } = formState;
  // Register the fields in their visual order, so that the first invalid one gets the focus.
  const username = register('username', { validate: rules.present });
  const password = register('password', { validate: rules.present });

  const submit = handleSubmit(async (credentials) => {
    const error = await actions.login(credentials);
    if (isApiError(error))
      setError('root', { message: t('auth.login.failedInForm', { status: error.status ?? error.code }) });
  });

  return (
    <FormStack onSubmit={(event) => void submit(event)} noValidate aria-label={t('auth.login.title')}>
      <FormHeader>
        <h1>{t('auth.login.title')}</h1>
        <p>{t('auth.login.text')}</p>
      </FormHeader>
      {errors.root?.message !== undefined && <FieldError>{errors.root.message}</FieldError>}
      <Field label={t('auth.field.username')} error={errors.username?.message}>
        {(inputProps) => (
          <Input
            {...inputProps}
            {...username}
            dir="ltr"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <PasswordField
        {...password}
        label={t('auth.field.password')}
        error={errors.password?.message}
        visible={passwordVisible}
        onToggle={onTogglePassword}
        autoComplete="current-password"
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        block
        busy={actions.pending ? t('auth.login.pending') : undefined}
      >
        {t('auth.login.submit')}
      </Button>
      <SwitchLine>
        {t('auth.login.switch')}{' '}
        <SwitchLink type="button" onClick={onSwitch}>
          {t('auth.login.switchLink')}
        </SwitchLink>
      </SwitchLine>
    </FormStack>
  );
}
