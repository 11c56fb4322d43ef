import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../api/api-error.js';
import type { Store } from '../../api/store.js';
import { useErrorText } from '../../api/use-error-text.js';
import { useToast } from '../../ui/index.js';
import { isPasskeyStopped } from '../../lib/is-error-named.js';
import { tab } from '../../lib/storage.js';
import { useSubmissionKey } from '../../lib/submission-key.js';
import { keepUnsaved } from '../../lib/unsaved-codes.js';
import {
  type Credentials,
  type NewAccount,
  type Registration,
  useLoginMutation,
  useRegisterMutation,
} from '../../shared/session/index.js';

/** Time to read the success toast, in milliseconds. */
const LOGIN_REDIRECT_DELAY = 500;

export interface AuthActions {
  pending: boolean;
  login: (credentials: Credentials) => Promise<unknown>;
  register: (registration: Registration) => Promise<unknown>;
  loginWithPasskey: () => Promise<unknown>;
  openPage: () => void;
}

const PROBE = 'cookies=kept';

/** Tests a write: browsers that block site data may report cookies as enabled. */
function keepsCookies(): boolean {
  try {
    document.cookie = `${PROBE}; Path=/; SameSite=Lax`;
    const isKept = document.cookie.split('; ').includes(PROBE);
    document.cookie = `${PROBE}; Path=/; Max-Age=0`;
    return isKept;
  } catch {
    return false;
  }
}

function useEntering() {
  const { t } = useTranslation();
  const toast = useToast();
  const [pending, setEntering] = useState(false);

  /** @returns the error of the call */
  const enter = async (call: () => Promise<void>, onFailed: (error: unknown) => void): Promise<unknown> => {
    // Without cookies no session lasts, despite the server's answer.
    if (!keepsCookies()) {
      toast({ variant: 'destructive', title: t('auth.login.noCookies'), text: t('auth.login.noCookiesText') });
      return undefined;
    }
    setEntering(true);
    try {
      await call();
      return undefined;
    } catch (error) {
      setEntering(false);
      onFailed(error);
      return error;
    }
  };

  return { pending, enter };
}

export function useAuthActions(): AuthActions {
  const { t } = useTranslation();
  const toast = useToast();
  const navigate = useNavigate();
  const errors = useErrorText();
  const dispatch = useDispatch<Store['dispatch']>();
  const { pending, enter } = useEntering();
  const [login] = useLoginMutation();
  const [register] = useRegisterMutation();
  const { keyFor, renew } = useSubmissionKey();
  const redirectTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Page that asked to sign in. A detour by the inbox would show the user as online. */
  const [wantedPage] = useState(() => tab.read('wanted'));

  useEffect(() => {
    tab.write('wanted', null);
  }, []);

  useEffect(() => () => clearTimeout(redirectTimer.current), []);

  const welcome = () => {
    toast({ variant: 'success', title: t('auth.login.done'), text: t('auth.login.doneText') });
    redirectTimer.current = setTimeout(() => void navigate(wantedPage ?? '/'), LOGIN_REDIRECT_DELAY);
  };

  const openPage = () => {
    const state: NewAccount = { isNew: true };
    void navigate(wantedPage ?? '/profile', { replace: true, state });
  };

  const failed = (title: string, text: string) => toast({ variant: 'destructive', title, text });

  return {
    pending,
    openPage,
    login: (credentials) =>
      enter(
        async () => {
          await login(credentials).unwrap();
          welcome();
        },
        (error) => {
          // The form asks for the code.
          if (!isApiError(error) || error.code !== 'totp_required')
            failed(t('auth.login.failed'), errors.message(error));
        },
      ),
    loginWithPasskey: () =>
      enter(
        async () => {
          const { signInWithPasskey } = await import('../../shared/credentials/index.js');
          await signInWithPasskey(dispatch);
          welcome();
        },
        (error) => {
          if (isPasskeyStopped(error))
            toast({ title: t('auth.login.passkeyStopped'), text: t('auth.login.passkeyStoppedText') });
          // Without an answer of the API, the browser failed.
          else
            failed(
              t('auth.login.passkeyFailed'),
              isApiError(error) ? errors.text(error) : t('auth.login.passkeyFailedText'),
            );
        },
      ),
    register: (registration) =>
      enter(
        async () => {
          const user = await register({
            // Required by the form's rules.
            registration: { ...registration, terms: true },
            key: keyFor(registration.username, registration.name, registration.bio, registration.password),
          }).unwrap();
          renew();
          toast({ variant: 'success', title: t('auth.register.done'), text: t('auth.register.doneText') });
          keepUnsaved(user.id, null);
          try {
            const { makeFirstCodes } = await import('../../shared/credentials/index.js');
            await makeFirstCodes(dispatch, { id: user.id, password: registration.password });
          } catch {
            // The page leads to new ones.
          }
          openPage();
        },
        (error) => failed(t('auth.register.failed'), errors.message(error)),
      ),
  };
}
