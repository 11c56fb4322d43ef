import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Button, Callout } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import {
  PasswordDialog,
  useCreateRecoveryCodesMutation,
  useGetRecoveryCodesQuery,
} from '../../shared/credentials/index.js';

interface Props {
  username: string;
  onCodes: (codes: string[]) => void;
}

export function RecoverySection({ username, onCodes }: Props) {
  const { t } = useTranslation();
  const { data } = useGetRecoveryCodesQuery();
  const [create] = useCreateRecoveryCodesMutation();
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);

  return (
    <>
      <Callout
        tone="gold"
        icon={KeyRound}
        title={t('access.recovery.noEmail')}
        text={[t('access.recovery.onlyWay'), data === undefined ? '' : t('access.recovery.left', { count: data.left })]
          .join(' ')
          .trim()}
      >
        <InkButton onClick={() => setAsking(true)}>{t('access.recovery.new')}</InkButton>
      </Callout>
      <PasswordDialog
        open={asking}
        onClose={close}
        title={t('access.recovery.new')}
        text={t('access.recovery.earlierEnd')}
        submit={t('access.recovery.create')}
        username={username}
        onSubmit={async (password) => {
          const codes = await create(password).unwrap();
          close();
          onCodes(codes);
        }}
      />
    </>
  );
}

const InkButton = styled(Button)`
  && {
    background: var(--ink);
    color: var(--paper);
    border-color: transparent;
  }
  &&:hover {
    background: var(--ink-2);
  }
`;
