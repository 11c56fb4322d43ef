import { styled } from 'styled-components';
import { encode } from 'uqr';
import { Dialog, Note, Stack } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useConfirmTotpMutation } from '../../shared/credentials/index.js';
import { TotpCodeForm } from './TotpCodeForm.js';

interface Props {
  secret: string;
  uri: string;
  onClose: () => void;
  onDone: () => void;
}

export function TotpSetup({ secret, uri, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const [confirm] = useConfirmTotpMutation();
  const { data, size } = encode(uri, { border: 0 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${String(x)} ${String(y)}h1v1h-1z`] : [])))
    .join('');
  return (
    <Dialog open onClose={onClose} title={t('access.totp.setupTitle')} description={t('access.totp.setupText')}>
      <QrRow>
        <Qr viewBox={`0 0 ${String(size)} ${String(size)}`} role="img" aria-label={t('access.totp.qr')}>
          <path d={path} fill="currentColor" />
        </Qr>
        <Stack $gap={8}>
          <p>{t('access.totp.scan')}</p>
          <Note>{t('access.totp.type')}</Note>
          <Secret dir="ltr" data-testid="totp-secret">
            {secret.match(/.{1,4}/g)?.join(' ')}
          </Secret>
        </Stack>
      </QrRow>
      <TotpCodeForm
        label={t('access.totp.enter')}
        submit={t('access.totp.turnOn')}
        onSubmit={async (code) => {
          await confirm(code).unwrap();
          onDone();
        }}
        onClose={onClose}
      />
    </Dialog>
  );
}

const QrRow = styled.div`
  display: flex;
  align-items: center;
  gap: 24px;
  ${({ theme }) => theme.media.phone} {
    flex-direction: column;
    align-items: flex-start;
  }
`;

/* Black on white in both themes: many scanners read nothing else. */
const Qr = styled.svg`
  flex: none;
  inline-size: 184px;
  block-size: 184px;
  padding: 16px;
  background: #fff;
  color: #16132a;
  border: 1px solid var(--line);
  border-radius: 22px;
  border-end-start-radius: 7px;
`;

const Secret = styled.code`
  font-size: 1rem;
  overflow-wrap: anywhere;
  user-select: all;
`;
