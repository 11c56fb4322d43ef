import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.js';
import { Button } from './Button.js';
import { Dialog, DialogActions } from './Dialog.js';
import { Stack } from './layout.js';

interface FormProps {
  /** For screen readers, if it differs from the title. */
  label?: string;
  submit: ReactNode;
  variant?: 'primary' | 'danger';
  isReady?: boolean;
  busy: string | undefined;
  /** Cannot be left while sending. */
  isHeld?: boolean;
  gap?: number;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** Ends with cancel and submit. */
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
  onCancel?: () => void;
}

/** Open while rendered, and while sending. */
export function FormDialog({ title, description, onClose, onCancel = onClose, ...form }: DialogProps) {
  return (
    <Dialog open title={title} description={description} onClose={form.busy === undefined ? onClose : () => undefined}>
      <DialogForm {...form} isHeld gap={18} onCancel={onCancel} />
    </Dialog>
  );
}
