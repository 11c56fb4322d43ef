import { useState } from 'react';
import { useNavigation } from '../../ui/navigation.js';
import { useTexts } from '../../i18n/index.js';
import { RecoveryCodes } from '../../shared/credentials/index.js';
import type { User } from '../../shared/session/index.js';
import { PasskeySection } from './PasskeySection.js';
import { PasswordForm } from './PasswordForm.js';
import { RecoverySection } from './RecoverySection.js';
import { SessionList } from './SessionList.js';
import { TotpSection } from './TotpSection.js';

export function AccessSettings({ user }: { user: User }) {
  useTexts(['access']);
  const { navigate } = useNavigation();
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes !== null)
    return (
      <RecoveryCodes
        codes={codes}
        username={user.username}
        onContinue={() => {
          navigate('/profile');
        }}
      />
    );
  return (
    <>
      <RecoverySection username={user.username} onCodes={setCodes} />
      <PasskeySection />
      <TotpSection username={user.username} />
      <PasswordForm user={user} />
      <SessionList />
    </>
  );
}
