import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import { BOWL, Button, Callout, Container, DOTS, InputField, Note, PasswordField, useOutcome } from '../../ui/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { headline, textSize } from '../../theme/index.js';
import { showFaults } from '../../ui/show-faults.js';
import { useResetPasswordMutation } from './api.js';

const EMPTY = { username: '', code: '', password: '', confirmPassword: '' };

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
  const say = useOutcome();
  const navigate = useNavigate();
  const [reset, { isLoading }] = useResetPasswordMutation();
  const [visible, setVisible] = useState(false);
  const [refused, setRefused] = useState(false);
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: EMPTY });
  // In visual order: the first invalid field gets the focus.
  const fields = {
    username: register('username', { validate: accountRules.present }),
    code: register('code', { validate: accountRules.present }),
    password: register('password', { validate: accountRules.password, deps: ['confirmPassword'] }),
    confirmPassword: register('confirmPassword', {
      validate: (value, form) => accountRules.same(value, form.password),
    }),
  };

  const ofPassword = (name: 'password' | 'confirmPassword') => ({
    ...fields[name],
    error: describeFault(name, formState.errors[name]?.message, t),
    visible,
    onToggle: () => setVisible((before) => !before),
    autoComplete: 'new-password',
  });

  const submit = handleSubmit(async (form) => {
    setRefused(false);
    try {
      await reset({ ...form, username: form.username.trim() }).unwrap();
    } catch (error) {
      if (isApiError(error) && error.code === 'wrong_recovery_code') {
        setRefused(true);
        return;
      }
      say.failed(t('access.reset.refused'), error);
      showFaults(error, EMPTY, setError);
      return;
    }
    say.done(t('access.reset.done'), t('access.reset.doneText'));
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
      <InputField
        {...fields.username}
        label={t('auth.field.username')}
        error={describeFault('username', formState.errors.username?.message, t)}
        dir="ltr"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <CodeField
        {...fields.code}
        label={t('access.reset.code')}
        hint={t('access.reset.codeHint')}
        error={describeFault('code', formState.errors.code?.message, t)}
        dir="ltr"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField {...ofPassword('password')} label={t('access.reset.password')} />
      <PasswordField {...ofPassword('confirmPassword')} label={t('access.reset.again')} />
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

const CodeField = styled(InputField)`
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
