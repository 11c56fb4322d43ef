import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useNavigation } from '../../ui/navigation.js';
import { useTexts } from '../../i18n/index.js';
import { keepUnsaved, noteSaved, readCodes } from '../../lib/unsaved-codes.js';
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
  const { hash } = useLocation();
  // The row above the inbox leads here in browsers that keep no file.
  const [codes, setCodes] = useState(() => (hash === '#codes' ? readCodes(user.id) : null));
  if (codes !== null)
    return (
      <RecoveryCodes
        codes={codes}
        username={user.username}
        onContinue={() => {
          noteSaved(user.id);
          navigate('/profile');
        }}
      />
    );
  return (
    <>
      <RecoverySection
        username={user.username}
        onCodes={(made) => {
          keepUnsaved(user.id, made);
          setCodes(made);
        }}
      />
      <PasskeySection />
      <TotpSection username={user.username} />
      <PasswordForm user={user} />
      <SessionList />
    </>
  );
}
