import { styled } from 'styled-components';
import { Card, Container, DeveloperAvatar } from '../../ui/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import { AccountForm } from './AccountForm.js';
import { PageTitle, ProtectedNotice } from './page-parts.js';

/** Needs the secret, but no session. */
export function AdminCreatePage() {
  const { t } = useTranslation();
  useDocumentTitle(t('admin.account.developer'));
  return (
    <Page>
      <DeveloperAvatar $size={88} />
      <Title>{t('admin.account.developer')}</Title>
      <FormCard>
        <AccountForm />
      </FormCard>
      <Footer>
        <ProtectedNotice />
      </Footer>
    </Page>
  );
}

const Page = styled(Container)`
  max-inline-size: calc(760px + 2 * var(--gutter));
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  justify-items: start;
  gap: 4px;
  padding-block: 32px 64px;
`;

const Title = styled(PageTitle)`
  margin-block: 12px 16px;
`;

const FormCard = styled(Card)`
  inline-size: 100%;
  padding: 32px;
  ${({ theme }) => theme.media.phone} {
    padding: 22px 18px;
  }
`;

const Footer = styled.footer`
  margin-block-start: 16px;
  justify-self: center;
`;
