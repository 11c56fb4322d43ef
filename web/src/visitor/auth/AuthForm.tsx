import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react';
import { type DefaultValues, type FieldErrors, type FieldValues, useForm } from 'react-hook-form';
import { styled } from 'styled-components';
import { useErrorText } from '../../api/use-error-text.js';
import { useTranslation } from '../../i18n/index.js';
import { useHydrated } from '../../lib/hooks.js';
import { headline, semibold, textSize } from '../../theme/index.js';
import { Button, FieldError } from '../../ui/index.js';
import { faultsOf, type Refused } from './sign-in-data.js';
import type { AuthActions } from './use-auth-actions.js';

export interface AuthFormProps<Values> {
  actions: AuthActions;
  /** Undefined at first. */
  typed: Values | undefined;
  onLeave: (values: Values) => void;
  passwordVisible: boolean;
  onTogglePassword: () => void;
  onSwitch: () => void;
  refused: Refused | undefined;
}

/** @param readTyped input from before the scripts ran */
export function useAuthForm<Values extends FieldValues>(
  { typed, refused, onLeave }: AuthFormProps<Values>,
  readTyped: () => Values,
) {
  const [defaultValues] = useState(() => typed ?? readTyped());
  const [faults] = useState(() => faultsOf(refused?.error));
  const form = useForm<Values>({
    defaultValues: defaultValues as DefaultValues<Values>,
    ...(faults && { errors: faults as FieldErrors<Values> }),
  });
  const { getValues, handleSubmit } = form;
  useEffect(() => () => onLeave(getValues()), [onLeave, getValues]);
  const [isRefused, setRefused] = useState(refused !== undefined);
  return {
    ...form,
    defaultValues,
    refusal: isRefused ? refused?.error : undefined,
    submitBy: (send: (values: Values) => Promise<void>) =>
      handleSubmit((values) => {
        setRefused(false);
        return send(values);
      }),
  };
}

/** For browsers without scripts. */
const PAGES = { login: '/auth?tab=login', register: '/auth' } as const;

interface Props extends Pick<AuthFormProps<never>, 'actions' | 'onSwitch'> {
  name: keyof typeof PAGES;
  refusal: Refused['error'] | undefined;
  onSubmit: (event: SyntheticEvent) => Promise<void>;
  /** After the button. */
  more?: ReactNode;
  children: ReactNode;
}

export function AuthForm({ name, actions, refusal, onSubmit, onSwitch, more, children }: Props) {
  const { t } = useTranslation();
  return (
    <FormStack
      method="post"
      action={PAGES[name]}
      onSubmit={(event) => void onSubmit(event)}
      noValidate={useHydrated()}
      aria-label={t(`auth.${name}.title`)}
    >
      <FormHeader>
        <h1>{t(`auth.${name}.title`)}</h1>
        <p>{t(`auth.${name}.text`)}</p>
      </FormHeader>
      {refusal !== undefined && <RefusedNotice error={refusal} />}
      {children}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        block
        busy={actions.pending ? t(`auth.${name}.pending`) : undefined}
      >
        {t(`auth.${name}.submit`)}
      </Button>
      {more}
      <SwitchLine>
        {t(`auth.${name}.switch`)}{' '}
        <SwitchLink
          href={PAGES[name === 'login' ? 'register' : 'login']}
          onClick={(event) => {
            event.preventDefault();
            onSwitch();
          }}
        >
          {t(`auth.${name}.switchLink`)}
        </SwitchLink>
      </SwitchLine>
    </FormStack>
  );
}

/** Why the server refused a form sent without scripts, unless a field says it. */
function RefusedNotice({ error }: Pick<Refused, 'error'>) {
  const { t } = useTranslation();
  const errors = useErrorText();
  const reason = () => {
    if (error === 'no_cookies') return `${t('auth.login.noCookies')}. ${t('auth.login.noCookiesText')}`;
    if (error.fields !== undefined) return t('common.error.invalid_input');
    if (error.code === 'proof_required') return t('auth.plain.proof');
    return errors.text({ proof: null, ...error, fields: {} });
  };
  return (
    <div data-testid="refused">
      <FieldError>
        <span>
          {reason()} {t('auth.plain.again')}
        </span>
      </FieldError>
    </div>
  );
}

const FormStack = styled.form`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
  ${({ theme }) => theme.media.phone} {
    gap: 14px;
  }
`;

const FormHeader = styled.header`
  h1 {
    ${headline('38px', '34px', 1.4, 1.25)}
    ${({ theme }) => theme.media.phone} {
      ${textSize('30px', '27px')}
      line-height: 1.3;
    }
  }
  p {
    color: var(--ink-2);
  }
`;

const SwitchLine = styled.p`
  text-align: center;
  color: var(--ink-2);
`;

export const SwitchLink = styled.a`
  color: var(--violet-text);
  ${semibold}
  text-decoration: underline;
  text-decoration-color: color-mix(in srgb, var(--violet-text) 35%, transparent);
  text-underline-offset: 5px;
  border-radius: 4px;
  :lang(en) & {
    text-underline-offset: 3px;
  }
`;

export const ForgotLine = styled.p`
  margin-block-start: -8px;
`;
