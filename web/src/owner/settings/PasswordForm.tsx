import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from '../../i18n/index.js';
import { isApiError } from '../../api/api-error.js';
import { Button, PasswordField, Stack, useOutcome } from '../../ui/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import type { User } from '../../shared/session/index.js';
import { useChangePasswordMutation } from './api.js';
import { SettingsSection } from './SettingsSection.js';

const EMPTY = { currentPassword: '', newPassword: '', confirmPassword: '' };

type Fields = typeof EMPTY;

export function PasswordForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [change, { isLoading }] = useChangePasswordMutation();
  const [visible, setVisible] = useState(false);
  const { register, handleSubmit, reset, setError, formState } = useForm<Fields>({ defaultValues: EMPTY });
  // In visual order: the first invalid field gets the focus.
  const fields = {
    currentPassword: register('currentPassword', { validate: accountRules.present }),
    newPassword: register('newPassword', { validate: accountRules.password, deps: ['confirmPassword'] }),
    confirmPassword: register('confirmPassword', {
      validate: (value, form) => accountRules.same(value, form.newPassword),
    }),
  };
  const shared = {
    visible,
    onToggle: () => setVisible((before) => !before),
  };

  const submit = handleSubmit(async ({ currentPassword, newPassword }) => {
    try {
      await change({ currentPassword, newPassword }).unwrap();
      reset();
      setVisible(false);
      say.done(t('settings.password.changed'), t('settings.password.changedText'));
    } catch (error) {
      say.failed(t('settings.password.failed'), error);
      if (!isApiError(error)) return;
      for (const [field, code] of Object.entries(error.fields)) {
        if (field in EMPTY) setError(field as keyof Fields, { message: code }, { shouldFocus: true });
      }
    }
  });

  return (
    <SettingsSection title={t('settings.password.title')} text={t('settings.password.text')}>
      <Stack as="form" onSubmit={(event) => void submit(event)} noValidate aria-label={t('settings.password.title')}>
        {/* For password managers. */}
        <input type="text" autoComplete="username" value={user.username} readOnly hidden />
        <PasswordField
          {...fields.currentPassword}
          {...shared}
          label={t('settings.password.current')}
          error={describeFault('currentPassword', formState.errors.currentPassword?.message, t)}
          autoComplete="current-password"
        />
        <PasswordField
          {...fields.newPassword}
          {...shared}
          label={t('settings.password.next')}
          error={describeFault('newPassword', formState.errors.newPassword?.message, t)}
          autoComplete="new-password"
        />
        <PasswordField
          {...fields.confirmPassword}
          {...shared}
          label={t('settings.password.confirm')}
          error={describeFault('confirmPassword', formState.errors.confirmPassword?.message, t)}
          autoComplete="new-password"
        />
        <div>
          <Button type="submit" busy={isLoading ? t('settings.password.changing') : undefined}>
            {t('settings.password.change')}
          </Button>
        </div>
      </Stack>
    </SettingsSection>
  );
}
