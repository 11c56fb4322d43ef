import { styled } from 'styled-components';
import { LockKeyhole } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { headline, small } from '../../theme/index.js';
import { Icon } from '../../ui/index.js';

export const PageTitle = styled.h1`
  ${headline('36px', '32px', 1.2, 1.05)}
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
