import { styled } from 'styled-components';
import { headline, semibold, textSize } from '../../theme/index.js';
import type { Refused } from './sign-in-data.js';
import type { AuthActions } from './use-auth-actions.js';

export interface AuthFormProps<Values> {
  actions: AuthActions;
  /** Undefined at first. */
  typed: Values | undefined;
  onLeave: (values: Values) => void;
  passwordVisible: boolean;
  onTogglePassword: () => void;
  onSwitch: () => void;
  refused: Refused | undefined;
}

export const FormStack = styled.form`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
  ${({ theme }) => theme.media.phone} {
    gap: 14px;
  }
`;

export const FormHeader = styled.header`
  h1 {
    ${headline('38px', '34px', 1.4, 1.25)}
    ${({ theme }) => theme.media.phone} {
      ${textSize('30px', '27px')}
      line-height: 1.3;
    }
  }
  p {
    color: var(--ink-2);
  }
`;

export const SwitchLine = styled.p`
  text-align: center;
  color: var(--ink-2);
`;

export const SwitchLink = styled.a`
  color: var(--violet-text);
  ${semibold}
  text-decoration: underline;
  text-decoration-color: color-mix(in srgb, var(--violet-text) 35%, transparent);
  text-underline-offset: 5px;
  border-radius: 4px;
  :lang(en) & {
    text-underline-offset: 3px;
  }
`;

export const ForgotLine = styled.p`
  margin-block-start: -8px;
`;
