import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from '../../i18n/index.js';
import { type ApiError, isApiError } from '../../app/api-error.js';
import { useErrorText } from '../../app/use-error-text.js';
import { Button, Field, FieldError, Icon, Input, PasswordField } from '../../components/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { Link } from '../../app/navigation.js';
import { ForgotLine, FormHeader, FormStack, SwitchLine, SwitchLink } from './form-parts.js';
import { typedInto } from './typed-into.js';
import type { AuthActions } from './use-auth-actions.js';

interface Props {
  actions: AuthActions;
  passwordVisible: boolean;
  onTogglePassword: () => void;
  onSwitch: () => void;
}

export function LoginForm({ actions, passwordVisible, onTogglePassword, onSwitch }: Props) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [defaultValues] = useState(() => ({
    username: typedInto('username'),
    password: typedInto('password'),
    code: '',
  }));
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues });
  const { errors } = formState;
  const [needsCode, setNeedsCode] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  // Register the fields in their visual order, so that the first invalid one gets the focus.
  const username = register('username', { validate: accountRules.present });
  const password = register('password', { validate: accountRules.present });

  const submit = handleSubmit(async (credentials) => {
    setFailure(null);
    const { username: name, password: secret } = credentials;
    const error = await actions.login(needsCode ? credentials : { username: name, password: secret });
    if (!isApiError(error)) return;
    if (error.code === 'totp_required') {
      setNeedsCode(true);
      if (error.fields['code'] !== undefined) setError('code', { message: 'wrong' }, { shouldFocus: true });
    } else setFailure(error);
  });

  return (
    <FormStack onSubmit={(event) => void submit(event)} noValidate aria-label={t('auth.login.title')}>
      <FormHeader>
        <h1>{t('auth.login.title')}</h1>
        <p>{t('auth.login.text')}</p>
      </FormHeader>
      {failure !== null && (
        <FieldError>
          {failure.status === null ? errorText.text(failure) : t('auth.login.failedInForm', { status: failure.status })}
        </FieldError>
      )}
      <Field label={t('auth.field.username')} error={describeFault('username', errors.username?.message, t)}>
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
        error={describeFault('password', errors.password?.message, t)}
        visible={passwordVisible}
        onToggle={onTogglePassword}
        autoComplete="current-password"
      />
      {needsCode && (
        <Field
          label={t('auth.login.code')}
          hint={t('auth.login.codeHint')}
          error={describeFault('code', errors.code?.message, t, { wrong: t('auth.login.codeWrong') })}
        >
          {(inputProps) => (
            <Input
              {...inputProps}
              {...register('code', { validate: accountRules.present })}
              dir="ltr"
              autoComplete="one-time-code"
              autoFocus
            />
          )}
        </Field>
      )}
      <ForgotLine>
        <SwitchLink as={Link} to="/reset">
          {t('auth.login.forgot')}
        </SwitchLink>
      </ForgotLine>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        block
        busy={actions.pending ? t('auth.login.pending') : undefined}
      >
        {t('auth.login.submit')}
      </Button>
      <Button size="lg" block disabled={actions.pending} onClick={() => void actions.loginWithPasskey()}>
        <Icon of={KeyRound} />
        {t('auth.login.passkey')}
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
