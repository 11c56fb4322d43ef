import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { Card, CardTitle, Stack } from '../../components/index.js';
import { small } from '../../theme/index.js';
import { AccountForm } from './AccountForm.js';
import { AuditLog } from './AuditLog.js';
import { Guard } from './Guard.js';

/** Creates administrators and shows the access log. */
export function AccountTab() {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Stack $gap={20}>
      <Sheet aria-labelledby={id}>
        <div>
          <CardTitle id={id}>{t('admin.account.title')}</CardTitle>
          <About>{t('admin.account.text')}</About>
        </div>
        <AccountForm />
      </Sheet>
      <AuditLog />
      <Guard />
    </Stack>
  );
}

const Sheet = styled(Card)`
  display: grid;
  grid-template-columns: 240px minmax(0, 1fr);
  gap: 32px;
  padding: 32px;
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    gap: 18px;
    padding: 22px 18px;
  }
`;

const About = styled.p`
  color: var(--ink-2);
  ${small}
`;
