import type { LucideIcon } from 'lucide-react';
import { AlertDialog as Radix } from 'radix-ui';
import { useTranslation } from '../i18n/index.js';
import { styled } from 'styled-components';
import { Button } from './Button.js';
import { DialogActions, DialogTitle, overlay, panel } from './Dialog.js';
import { Icon } from './Icon.js';
import { useCloseRequest } from './use-close-request.js';
import { useFocusReturn } from './use-focus-return.js';

interface Props {
  open: boolean;
  title: string;
  text: string;
  confirm: string;
  icon?: LucideIcon;
  /** Another answer. */
  more?: { label: string; onChoose: () => void } | false;
  /** Shown while deleting. The dialog stays open. */
  busy?: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
  /** Called after closing if the opener is gone. */
  onOpenerGone?: () => void;
}

export function ConfirmDialog(props: Props) {
  const { open, title, text, confirm, icon, more = false, busy, onConfirm, onCancel, onOpenerGone } = props;
  const { t } = useTranslation();
  const returnFocus = useFocusReturn(open, onOpenerGone);
  const cancel = () => {
    if (busy === undefined) onCancel();
  };
  useCloseRequest(open, cancel);
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) cancel();
      }}
    >
      <Radix.Portal>
        <Overlay>
          <Panel data-sheet onCloseAutoFocus={returnFocus}>
            <Radix.Title asChild>
              <DialogTitle>{title}</DialogTitle>
            </Radix.Title>
            <Radix.Description asChild>
              <Text>{text}</Text>
            </Radix.Description>
            <DialogActions>
              <Radix.Cancel asChild>
                <Button disabled={busy !== undefined}>{t('common.action.cancel')}</Button>
              </Radix.Cancel>
              {more && (
                <Button variant="dangerGhost" disabled={busy !== undefined} onClick={more.onChoose}>
                  {more.label}
                </Button>
              )}
              <Button variant="danger" busy={busy} onClick={onConfirm}>
                {icon !== undefined && <Icon of={icon} />}
                {confirm}
              </Button>
            </DialogActions>
          </Panel>
        </Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}

const Overlay = styled(Radix.Overlay)`
  ${overlay}
`;

const Panel = styled(Radix.Content)`
  ${panel}
  border-start-start-radius: 28px;
`;

const Text = styled.p`
  color: var(--ink-2);
`;
