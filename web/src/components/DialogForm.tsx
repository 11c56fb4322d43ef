import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.js';
import { Button } from './Button.js';
import { Dialog, DialogActions } from './Dialog.js';
import { Stack } from './layout.js';

interface FormProps {
  /** For screen readers, where it differs from the dialog's title. */
  label?: string;
  /** Content of the button. */
  submit: ReactNode;
  variant?: 'primary' | 'danger';
  isReady?: boolean;
  /** Says what is going on while the form is sent. */
  busy: string | undefined;
  /** While the form is sent, it cannot be left. */
  isHeld?: boolean;
  gap?: number;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** A form in a dialog, which ends with two buttons: to leave it, and to send it. */
export function DialogForm({
  label,
  submit,
  variant = 'primary',
  isReady = true,
  busy,
  isHeld = false,
  gap = 16,
  onSubmit,
  onCancel,
  children,
}: FormProps) {
  const { t } = useTranslation();
  return (
    <Stack
      as="form"
      $gap={gap}
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <DialogActions>
        <Button disabled={isHeld && busy !== undefined} onClick={onCancel}>
          {t('common.action.cancel')}
        </Button>
        <Button type="submit" variant={variant} disabled={!isReady} busy={busy}>
          {submit}
        </Button>
      </DialogActions>
    </Stack>
  );
}

interface DialogProps extends Omit<FormProps, 'label' | 'isHeld' | 'gap' | 'onCancel'> {
  title: string;
  description: string;
  onClose: () => void;
  /** Called for the button, if leaving does more than closing. */
  onCancel?: () => void;
}

/** A dialog that is a form. It is open as long as it is rendered, and stays open while the form is sent. */
export function FormDialog({ title, description, onClose, onCancel = onClose, ...form }: DialogProps) {
  return (
    <Dialog open title={title} description={description} onClose={form.busy === undefined ? onClose : () => undefined}>
      <DialogForm {...form} isHeld gap={18} onCancel={onCancel} />
    </Dialog>
  );
}
