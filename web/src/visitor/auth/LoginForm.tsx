import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { type ApiError, isApiError } from '../../api/api-error.js';
import { useErrorText } from '../../api/use-error-text.js';
import { Button, FieldError, Icon, InputField, PasswordField } from '../../ui/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { useKnowsPasskeys } from '../../lib/passkeys.js';
import { Link } from '../../ui/navigation.js';
import { useHydrated } from '../../lib/hooks.js';
import { AuthForm, type AuthFormProps, ForgotLine, SwitchLink, useAuthForm } from './AuthForm.js';
import { typedInto } from './typed-into.js';

export interface Typed {
  username: string;
  password: string;
  code: string;
}

const readTyped = (): Typed => ({ username: typedInto('username'), password: typedInto('password'), code: '' });

export function LoginForm(props: AuthFormProps<Typed>) {
  const { actions, passwordVisible, onTogglePassword, onSwitch, refused } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const knowsPasskeys = useKnowsPasskeys();
  const { register, setError, formState, refusal, submitBy } = useAuthForm(props, readTyped);
  const { errors } = formState;
  const isHydrated = useHydrated();
  const [needsCode, setNeedsCode] = useState(
    typeof refused?.error === 'object' && refused.error.code === 'totp_required',
  );
  const [failure, setFailure] = useState<ApiError | null>(null);
  // In visual order: the first invalid field gets the focus.
  const username = register('username', { validate: accountRules.present });
  const password = register('password', { validate: accountRules.present });

  const submit = submitBy(async (credentials) => {
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
    <AuthForm
      name="login"
      actions={actions}
      refusal={refusal}
      onSubmit={submit}
      onSwitch={onSwitch}
      more={
        knowsPasskeys && (
          <Button
            data-scripts
            size="lg"
            block
            disabled={actions.pending}
            onClick={() => void actions.loginWithPasskey()}
          >
            <Icon of={KeyRound} />
            {t('auth.login.passkey')}
          </Button>
        )
      }
    >
      {failure !== null && (
        <FieldError>
          {failure.status === null ? errorText.text(failure) : t('auth.login.failedInForm', { status: failure.status })}
        </FieldError>
      )}
      <InputField
        {...username}
        label={t('auth.field.username')}
        error={describeFault('username', errors.username?.message, t)}
        defaultValue={refused?.kept['username']}
        required={!isHydrated}
        dir="ltr"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField
        {...password}
        label={t('auth.field.password')}
        error={describeFault('password', errors.password?.message, t)}
        visible={passwordVisible}
        onToggle={onTogglePassword}
        required={!isHydrated}
        autoComplete="current-password"
      />
      {needsCode && (
        <InputField
          {...register('code', { validate: accountRules.present })}
          label={t('auth.login.code')}
          hint={t('auth.login.codeHint')}
          error={describeFault('code', errors.code?.message, t, { wrong: t('auth.login.codeWrong') })}
          required={!isHydrated}
          dir="ltr"
          autoComplete="one-time-code"
          autoFocus
        />
      )}
      <ForgotLine>
        <SwitchLink as={Link} to="/reset">
          {t('auth.login.forgot')}
        </SwitchLink>
      </ForgotLine>
    </AuthForm>
  );
}
