import { BadgeCheck } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Badge, Button, Field, Icon, Input, Stack, useOutcome } from '../../ui/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { showFaults } from '../../ui/show-faults.js';
import { useUpdateUserMutation, type User } from '../../shared/session/index.js';
import { SettingsSection } from './SettingsSection.js';
import { useStoredForm } from './use-stored-form.js';

const fieldsOf = ({ email }: User) => ({ email: email ?? '' });

export function EmailForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [update, { isLoading }] = useUpdateUserMutation();
  const { register, control, handleSubmit, changesOf, settle, setError, formState } = useStoredForm(
    'email',
    fieldsOf(user),
  );
  const written = useWatch({ control, name: 'email' });

  const submit = handleSubmit(async (form) => {
    const { email } = changesOf({ email: form.email.trim() });
    try {
      settle(form, fieldsOf(email === undefined ? user : await update({ email }).unwrap()));
      say.done(t('settings.email.updated'));
    } catch (error) {
      say.failed(t('settings.email.failed', { text: say.errors.text(error) }));
      showFaults(error, form, setError);
    }
  });

  return (
    <SettingsSection title={t('settings.email.title')} text={t('settings.email.text')}>
      <Stack
        as="form"
        $gap={6}
        onSubmit={(event) => void submit(event)}
        noValidate
        aria-label={t('settings.email.title')}
      >
        <Field label={t('settings.email.address')} error={describeFault('email', formState.errors.email?.message, t)}>
          {(inputProps) => (
            <Row>
              <Input
                {...inputProps}
                {...register('email', { validate: accountRules.email })}
                type="email"
                dir={written === '' ? undefined : 'ltr'}
                autoComplete="email"
                placeholder={t('settings.email.unavailable')}
              />
              <Button
                type="submit"
                disabled={written.trim() === ''}
                busy={isLoading ? t('settings.email.updating') : undefined}
              >
                {t('settings.email.update')}
              </Button>
            </Row>
          )}
        </Field>
        {user.isVerified && (
          <p>
            <Badge $tone="mint">
              <Icon of={BadgeCheck} />
              {t('settings.email.verified')}
            </Badge>
          </p>
        )}
      </Stack>
    </SettingsSection>
  );
}

const Row = styled.div`
  display: flex;
  align-items: center;
  gap: 12px;
  > input {
    flex: 1;
    min-inline-size: 0;
  }
`;
