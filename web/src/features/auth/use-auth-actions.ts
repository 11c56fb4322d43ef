import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useErrorText } from '../../app/use-error-text.js';
import { useToast } from '../../components/index.js';
import { useSubmissionKey } from '../../lib/submission-key.js';
import { type Credentials, type Registration, useLoginMutation, useRegisterMutation } from '../session/index.js';

/** Lets the user read the success toast before the page changes. */
const LOGIN_REDIRECT_DELAY = 500;

export interface AuthActions {
  /** True from the submit until the next page opens. */
  pending: boolean;
  /** Resolves to the error, or to undefined after a success. */
  login: (credentials: Credentials) => Promise<unknown>;
  register: (registration: Registration) => Promise<unknown>;
}

export function useAuthActions(): AuthActions {
  const { t } = useTranslation();
  const toast = useToast();
  const navigate = useNavigate();
  const errors = useErrorText();
  const [pending, setEntering] = useState(false);
  const [login] = useLoginMutation();
  const [register] = useRegisterMutation();
  const { keyFor, renew } = useSubmissionKey();
  const redirectTimer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(
    () => () => {
      clearTimeout(redirectTimer.current);
    },
    [],
  );

  return {
    pending,
    login: async (credentials) => {
      setEntering(true);
      try {
        await login(credentials).unwrap();
      } catch (error) {
        setEntering(false);
        toast({ variant: 'destructive', title: t('auth.login.failed'), text: errors.message(error) });
        return error;
      }
      toast({ variant: 'success', title: t('auth.login.done'), text: t('auth.login.doneText') });
      redirectTimer.current = setTimeout(() => void navigate('/'), LOGIN_REDIRECT_DELAY);
      return undefined;
    },
    register: async (registration) => {
      setEntering(true);
      try {
        await register({
          // The form's rules require the terms.
          registration: { ...registration, terms: true },
          key: keyFor(registration.username, registration.name, registration.bio, registration.password),
        }).unwrap();
      } catch (error) {
        setEntering(false);
        toast({ variant: 'destructive', title: t('auth.register.failed'), text: errors.message(error) });
        return error;
      }
      renew();
      toast({ variant: 'success', title: t('auth.register.done'), text: t('auth.register.doneText') });
      await navigate('/profile', { replace: true });
      return undefined;
    },
  };
}
