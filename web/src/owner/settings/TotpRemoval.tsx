import { Dialog } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useRemoveTotpMutation } from '../../shared/credentials/index.js';
import { TotpCodeForm } from './TotpCodeForm.js';

interface Props {
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

export function TotpRemoval({ open, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const [remove] = useRemoveTotpMutation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('access.totp.removalTitle')}
      description={t('access.totp.removalText')}
    >
      <TotpCodeForm
        label={t('auth.login.code')}
        submit={t('access.totp.turnOff')}
        danger
        takesRecoveryCode
        onSubmit={async (code) => {
          await remove(code).unwrap();
          onDone();
        }}
        onClose={onClose}
      />
    </Dialog>
  );
}
