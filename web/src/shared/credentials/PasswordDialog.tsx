import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { isApiError } from '../../api/api-error.js';
import { Dialog, DialogForm, PasswordField, useOutcome } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';

interface Props {
  open: boolean;
  title: string;
  text: string;
  submit: string;
  danger?: boolean;
  children?: ReactNode;
  username: string;
  /** Rejects with the API error. */
  onSubmit: (password: string) => Promise<void>;
  onClose: () => void;
}

export function PasswordDialog({ open, onClose, title, text, children, ...form }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title} description={text}>
      {children}
      <PasswordForm {...form} onClose={onClose} label={title} />
    </Dialog>
  );
}

function PasswordForm({
  label,
  submit,
  danger = false,
  username,
  onSubmit,
  onClose,
}: Omit<Props, 'open' | 'title' | 'text' | 'children'> & { label: string }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [visible, setVisible] = useState(false);
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: '' } });

  const send = handleSubmit(async ({ password }) => {
    try {
      await onSubmit(password);
    } catch (error) {
      const isWrong = isApiError(error) && error.code === 'wrong_password';
      if (isWrong) setError('password', { message: 'wrong' }, { shouldFocus: true });
      else say.failed(t('access.password.failed'), error);
    }
  });

  return (
    <DialogForm
      label={label}
      submit={submit}
      variant={danger ? 'danger' : 'primary'}
      busy={formState.isSubmitting ? t('common.action.loading') : undefined}
      onSubmit={() => void send()}
      onCancel={onClose}
    >
      {/* For password managers. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        {...register('password', { validate: accountRules.present })}
        label={t('auth.field.password')}
        error={describeFault('password', formState.errors.password?.message, t, { wrong: t('access.password.wrong') })}
        visible={visible}
        onToggle={() => setVisible((before) => !before)}
        autoComplete="current-password"
      />
    </DialogForm>
  );
}
