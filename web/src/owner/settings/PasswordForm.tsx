import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from '../../i18n/index.js';
import { Button, PasswordField, Stack, useOutcome } from '../../ui/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { showFaults } from '../../ui/show-faults.js';
import type { User } from '../../shared/session/index.js';
import { useChangePasswordMutation } from './api.js';
import { SettingsSection } from './SettingsSection.js';

const EMPTY = { currentPassword: '', newPassword: '', confirmPassword: '' };

export function PasswordForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [change, { isLoading }] = useChangePasswordMutation();
  const [visible, setVisible] = useState(false);
  const { register, handleSubmit, reset, setError, formState } = useForm({ defaultValues: EMPTY });
  // In visual order: the first invalid field gets the focus.
  const fields = {
    currentPassword: register('currentPassword', { validate: accountRules.present }),
    newPassword: register('newPassword', { validate: accountRules.password, deps: ['confirmPassword'] }),
    confirmPassword: register('confirmPassword', {
      validate: (value, form) => accountRules.same(value, form.newPassword),
    }),
  };
  const of = (name: keyof typeof EMPTY) => ({
    ...fields[name],
    error: describeFault(name, formState.errors[name]?.message, t),
    visible,
    onToggle: () => setVisible((before) => !before),
  });

  const submit = handleSubmit(async ({ currentPassword, newPassword }) => {
    try {
      await change({ currentPassword, newPassword }).unwrap();
      reset();
      setVisible(false);
      say.done(t('settings.password.changed'), t('settings.password.changedText'));
    } catch (error) {
      say.failed(t('settings.password.failed'), error);
      showFaults(error, EMPTY, setError);
    }
  });

  return (
    <SettingsSection title={t('settings.password.title')} text={t('settings.password.text')}>
      <Stack as="form" onSubmit={(event) => void submit(event)} noValidate aria-label={t('settings.password.title')}>
        {/* For password managers. */}
        <input type="text" autoComplete="username" value={user.username} readOnly hidden />
        <PasswordField
          {...of('currentPassword')}
          label={t('settings.password.current')}
          autoComplete="current-password"
        />
        <PasswordField {...of('newPassword')} label={t('settings.password.next')} autoComplete="new-password" />
        <PasswordField {...of('confirmPassword')} label={t('settings.password.confirm')} autoComplete="new-password" />
        <div>
          <Button type="submit" busy={isLoading ? t('settings.password.changing') : undefined}>
            {t('settings.password.change')}
          </Button>
        </div>
      </Stack>
    </SettingsSection>
  );
}
