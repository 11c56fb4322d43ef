import { styled } from 'styled-components';
import { LockKeyhole } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { small, textSize } from '../../theme/index.js';
import { Icon } from '../../ui/index.js';

export const PageTitle = styled.h1`
  ${textSize('36px', '32px')}
  font-weight: 900;
  line-height: 1.2;
  :lang(en) & {
    font-weight: 800;
    line-height: 1.05;
    letter-spacing: -0.022em;
  }
`;

export function ProtectedNotice() {
  const { t } = useTranslation();
  return (
    <Line>
      <Icon of={LockKeyhole} size="sm" />
      {t('admin.account.protected')}
    </Line>
  );
}

const Line = styled.p`
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 8px;
  color: var(--ink-3);
  ${small}
`;
