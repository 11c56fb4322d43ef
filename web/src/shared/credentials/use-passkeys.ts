import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { useState } from 'react';
import { isApiError } from '../../api/api-error.js';
import type { Store } from '../../api/store.js';
import { useOutcome } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { isErrorNamed, isPasskeyStopped } from '../../lib/is-error-named.js';
import { accessApi, useBeginPasskeyMutation, useCreatePasskeyMutation } from './api.js';

const loadWebAuthn = () => import('@simplewebauthn/browser');

export function useAddPasskey() {
  const { t } = useTranslation();
  const say = useOutcome();
  const [begin] = useBeginPasskeyMutation();
  const [create] = useCreatePasskeyMutation();
  const [isAdding, setAdding] = useState(false);

  const add = async () => {
    setAdding(true);
    try {
      const { startRegistration } = await loadWebAuthn();
      const optionsJSON = (await begin().unwrap()) as unknown as PublicKeyCredentialCreationOptionsJSON;
      const answer = await startRegistration({ optionsJSON });
      await create(answer as unknown as Parameters<typeof create>[0]).unwrap();
      say.done(t('access.passkeys.done'));
    } catch (error) {
      if (isPasskeyStopped(error)) say.toast({ title: t('access.passkeys.stopped') });
      else if (isErrorNamed(error, 'InvalidStateError'))
        say.toast({ variant: 'info', title: t('access.passkeys.known'), text: t('access.passkeys.knownText') });
      else {
        // Without an answer of the API, the browser failed.
        const text = isApiError(error) ? say.errors.text(error) : t('access.passkeys.unfinishedText');
        say.toast({ variant: 'destructive', title: t('access.passkeys.unfinished'), text });
      }
    } finally {
      setAdding(false);
    }
  };

  return { add, isAdding };
}

/** @throws the API error, or the browser's if the user cancelled */
export async function signInWithPasskey(dispatch: Store['dispatch']): Promise<void> {
  const { startAuthentication } = await loadWebAuthn();
  const { beginPasskeyLogin, verifyPasskeyLogin } = accessApi.endpoints;
  const options = await dispatch(beginPasskeyLogin.initiate()).unwrap();
  const answer = await startAuthentication({
    optionsJSON: options,
  });
  await dispatch(
    verifyPasskeyLogin.initiate(answer as unknown as Parameters<typeof verifyPasskeyLogin.initiate>[0]),
  ).unwrap();
}
