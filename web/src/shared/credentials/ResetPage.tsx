import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import { useErrorText } from '../../api/use-error-text.js';
import { BOWL, Button, Callout, Container, DOTS, Field, Input, Note, PasswordField, useToast } from '../../ui/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { headline, textSize } from '../../theme/index.js';
import { useResetPasswordMutation } from './api.js';

const EMPTY = { username: '', code: '', password: '', confirmPassword: '' };

type Fields = typeof EMPTY;

export function ResetPage() {
  const { t } = useTranslation();
  useDocumentTitle(t('access.reset.title'));
  return (
    <Page>
      <div>
        <ResetForm />
      </div>
      <Panel>
        <h2>{t('access.reset.panel')}</h2>
        <p>{t('access.reset.panelText')}</p>
        <Bowl viewBox="0 0 64 64" aria-hidden="true">
          <path fill="var(--on-violet)" d={BOWL} />
          <path fill="var(--gold)" d={DOTS[1]} />
        </Bowl>
      </Panel>
    </Page>
  );
}

function ResetForm() {
  const { t } = useTranslation();
  const toast = useToast();
  const navigate = useNavigate();
  const errors = useErrorText();
  const [reset, { isLoading }] = useResetPasswordMutation();
  const [visible, setVisible] = useState(false);
  const [refused, setRefused] = useState(false);
  const { register, handleSubmit, setError, formState } = useForm<Fields>({ defaultValues: EMPTY });
  const shared = {
    visible,
    onToggle: () => setVisible((before) => !before),
    autoComplete: 'new-password',
  };
  // In visual order: the first invalid field gets the focus.
  const fields = {
    username: register('username', { validate: accountRules.present }),
    code: register('code', { validate: accountRules.present }),
    password: register('password', { validate: accountRules.password, deps: ['confirmPassword'] }),
    confirmPassword: register('confirmPassword', {
      validate: (value, form) => accountRules.same(value, form.password),
    }),
  };

  const submit = handleSubmit(async (form) => {
    setRefused(false);
    try {
      await reset({ ...form, username: form.username.trim() }).unwrap();
    } catch (error) {
      if (isApiError(error) && error.code === 'wrong_recovery_code') {
        setRefused(true);
        return;
      }
      toast({ variant: 'destructive', title: t('access.reset.refused'), text: errors.text(error) });
      if (!isApiError(error)) return;
      for (const [field, code] of Object.entries(error.fields)) {
        if (field in EMPTY) setError(field as keyof Fields, { message: code }, { shouldFocus: true });
      }
      return;
    }
    toast({ variant: 'success', title: t('access.reset.done'), text: t('access.reset.doneText') });
    await navigate('/auth?tab=login', { replace: true });
  });

  return (
    <Form onSubmit={(event) => void submit(event)} noValidate aria-label={t('access.reset.title')}>
      <header>
        <h1>{t('access.reset.title')}</h1>
        <p>{t('access.reset.text')}</p>
      </header>
      {refused && (
        <Callout
          tone="danger"
          icon={CircleAlert}
          title={t('access.reset.refused')}
          text={t('access.reset.refusedText')}
          alert
        />
      )}
      <Field label={t('auth.field.username')} error={describeFault('username', formState.errors.username?.message, t)}>
        {(inputProps) => (
          <Input
            {...inputProps}
            {...fields.username}
            dir="ltr"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label={t('access.reset.code')}
        hint={t('access.reset.codeHint')}
        error={describeFault('code', formState.errors.code?.message, t)}
      >
        {(inputProps) => (
          <CodeInput
            {...inputProps}
            {...fields.code}
            dir="ltr"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <PasswordField
        {...fields.password}
        {...shared}
        label={t('access.reset.password')}
        error={describeFault('password', formState.errors.password?.message, t)}
      />
      <PasswordField
        {...fields.confirmPassword}
        {...shared}
        label={t('access.reset.again')}
        error={describeFault('confirmPassword', formState.errors.confirmPassword?.message, t)}
      />
      <Note>{t('access.reset.sessions')}</Note>
      <Button type="submit" variant="primary" size="lg" block busy={isLoading ? t('access.reset.changing') : undefined}>
        {t('access.reset.change')}
      </Button>
    </Form>
  );
}

const Page = styled(Container)`
  display: grid;
  grid-template-columns: minmax(0, 1fr) 480px;
  gap: 64px;
  padding-block: 12px 48px;
  > div {
    max-inline-size: 520px;
  }
  ${({ theme }) => theme.media.stacked} {
    grid-template-columns: minmax(0, 1fr);
    > aside {
      display: none;
    }
  }
`;

const Form = styled.form`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
  padding-block: 16px;
  h1 {
    ${headline('38px', '34px', 1.4, 1.25)}
  }
  header p {
    color: var(--ink-2);
  }
`;

const CodeInput = styled(Input)`
  font-family: monospace;
  font-size: 1.125rem;
`;

const Panel = styled.aside`
  display: grid;
  gap: 8px;
  align-content: start;
  position: relative;
  overflow: hidden;
  isolation: isolate;
  padding: 52px 48px;
  background: var(--panel);
  color: var(--on-violet);
  ${({ theme }) => theme.bubble.stage}
  &::before {
    content: '';
    position: absolute;
    inset: 0;
    background: var(--pattern-light);
    opacity: 0.07;
    z-index: -1;
  }
  h2 {
    ${textSize('36px', '32px')}
  }
  p {
    font-size: 1.1875rem;
    opacity: 0.92;
  }
`;

const Bowl = styled.svg`
  inline-size: 260px;
  block-size: 260px;
  justify-self: center;
  margin-block-start: 24px;
`;
