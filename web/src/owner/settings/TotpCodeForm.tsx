import { useForm } from 'react-hook-form';
import { styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import { DialogForm, InputField, useOutcome } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';

interface Props {
  label: string;
  submit: string;
  danger?: boolean;
  /** Also accepts a recovery code, so the keyboard needs letters. */
  takesRecoveryCode?: boolean;
  /** Rejects with the API error. */
  onSubmit: (code: string) => Promise<void>;
  onClose: () => void;
}

export function TotpCodeForm({ label, submit, danger = false, takesRecoveryCode = false, onSubmit, onClose }: Props) {
  const { t } = useTranslation();
  const say = useOutcome();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { code: '' } });

  const send = handleSubmit(async ({ code }) => {
    try {
      await onSubmit(code);
    } catch (error) {
      const isWrong = isApiError(error) && error.code === 'wrong_code';
      if (isWrong) setError('code', { message: 'wrong' }, { shouldFocus: true });
      else say.failed(t('access.totp.failed'), error);
    }
  });

  return (
    <DialogForm
      submit={submit}
      variant={danger ? 'danger' : 'primary'}
      busy={formState.isSubmitting ? t('common.action.loading') : undefined}
      onSubmit={() => void send()}
      onCancel={onClose}
    >
      <CodeField
        {...register('code', { validate: accountRules.present })}
        label={label}
        error={describeFault('code', formState.errors.code?.message, t, { wrong: t('auth.login.codeWrong') })}
        dir="ltr"
        inputMode={takesRecoveryCode ? 'text' : 'numeric'}
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="one-time-code"
        maxLength={20}
      />
    </DialogForm>
  );
}

const CodeField = styled(InputField)`
  max-inline-size: 260px;
  font-weight: 600;
  font-size: 1.375rem;
  letter-spacing: 0.3em;
`;
