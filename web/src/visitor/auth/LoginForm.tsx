import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from '../../i18n/index.js';
import { type ApiError, isApiError } from '../../api/api-error.js';
import { useErrorText } from '../../api/use-error-text.js';
import { Button, Field, FieldError, Icon, Input, PasswordField } from '../../ui/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { useKnowsPasskeys } from '../../lib/passkeys.js';
import { Link } from '../../ui/navigation.js';
import { useHydrated } from '../../lib/hooks.js';
import { type AuthFormProps, ForgotLine, FormHeader, FormStack, SwitchLine, SwitchLink } from './form-parts.js';
import { RefusedNotice } from './RefusedNotice.js';
import { faultsOf } from './sign-in-data.js';
import { SwitchTo } from './SwitchTo.js';
import { typedInto } from './typed-into.js';

export interface Typed {
  username: string;
  password: string;
  code: string;
}

export function LoginForm({
  actions,
  typed,
  onLeave,
  passwordVisible,
  onTogglePassword,
  onSwitch,
  refused,
}: AuthFormProps<Typed>) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const knowsPasskeys = useKnowsPasskeys();
  const [defaultValues] = useState(
    () => typed ?? { username: typedInto('username'), password: typedInto('password'), code: '' },
  );
  const [faults] = useState(() => faultsOf(refused?.error));
  const form = useForm<Typed>({ defaultValues, ...(faults && { errors: faults }) });
  const { register, handleSubmit, setError, getValues, formState } = form;
  useEffect(() => () => onLeave(getValues()), [onLeave, getValues]);
  const { errors } = formState;
  const isHydrated = useHydrated();
  const [isRefused, setRefused] = useState(refused !== undefined);
  const [needsCode, setNeedsCode] = useState(
    typeof refused?.error === 'object' && refused.error.code === 'totp_required',
  );
  const [failure, setFailure] = useState<ApiError | null>(null);
  // In visual order: the first invalid field gets the focus.
  const username = register('username', { validate: accountRules.present });
  const password = register('password', { validate: accountRules.present });

  const submit = handleSubmit(async (credentials) => {
    setFailure(null);
    setRefused(false);
    const { username: name, password: secret } = credentials;
    const error = await actions.login(needsCode ? credentials : { username: name, password: secret });
    if (!isApiError(error)) return;
    if (error.code === 'totp_required') {
      setNeedsCode(true);
      if (error.fields['code'] !== undefined) setError('code', { message: 'wrong' }, { shouldFocus: true });
    } else setFailure(error);
  });

  return (
    <FormStack
      method="post"
      action="/auth?tab=login"
      onSubmit={(event) => void submit(event)}
      noValidate={isHydrated}
      aria-label={t('auth.login.title')}
    >
      <FormHeader>
        <h1>{t('auth.login.title')}</h1>
        <p>{t('auth.login.text')}</p>
      </FormHeader>
      {isRefused && refused !== undefined && <RefusedNotice error={refused.error} />}
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
            defaultValue={refused?.kept['username']}
            required={!isHydrated}
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
        required={!isHydrated}
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
              required={!isHydrated}
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
      {knowsPasskeys && (
        <Button data-scripts size="lg" block disabled={actions.pending} onClick={() => void actions.loginWithPasskey()}>
          <Icon of={KeyRound} />
          {t('auth.login.passkey')}
        </Button>
      )}
      <SwitchLine>
        {t('auth.login.switch')}{' '}
        <SwitchTo page="/auth" onSwitch={onSwitch}>
          {t('auth.login.switchLink')}
        </SwitchTo>
      </SwitchLine>
    </FormStack>
  );
}
