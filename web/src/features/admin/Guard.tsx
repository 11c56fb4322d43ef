import { LockKeyhole } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { Icon } from '../../components/index.js';
import { small } from '../../theme/index.js';

/** The last line of the administrators' pages. */
export function Guard() {
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
