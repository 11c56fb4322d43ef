import { useId } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Card, CardTitle, Note, Stack } from '../../ui/index.js';
import { AccountForm } from './AccountForm.js';
import { AuditLog } from './AuditLog.js';
import { ProtectedNotice } from './page-parts.js';

export function AccountTab() {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Stack $gap={20}>
      <FormCard aria-labelledby={id}>
        <div>
          <CardTitle id={id}>{t('admin.account.title')}</CardTitle>
          <Note>{t('admin.account.text')}</Note>
        </div>
        <AccountForm />
      </FormCard>
      <AuditLog />
      <ProtectedNotice />
    </Stack>
  );
}

const FormCard = styled(Card)`
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
