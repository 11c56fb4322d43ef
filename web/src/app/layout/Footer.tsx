import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { Logo, Container } from '../../components/index.js';
import { small } from '../../theme/index.js';

export function Footer() {
  const { t } = useTranslation();
  const [year] = useState(() => new Date().getFullYear());
  return (
    <FooterElement>
      <Row>
        <Brand />
        <Text>{t('common.footer.text')}</Text>
        <Copyright>{t('common.footer.rights', { year })}</Copyright>
      </Row>
    </FooterElement>
  );
}

const FooterElement = styled.footer`
  margin-block-start: 96px;
  border-block-start: 1px solid var(--line);
  ${({ theme }) => theme.media.phone} {
    margin-block-start: 64px;
  }
`;

const Row = styled(Container)`
  display: flex;
  justify-content: space-between;
  align-items: center;
  gap: 32px;
  padding-block: 36px 56px;
  ${({ theme }) => theme.media.phone} {
    flex-direction: column;
    align-items: flex-start;
    gap: 14px;
    padding-block: 32px 96px;
  }
`;

const Brand = styled(Logo)`
  block-size: 32px;
`;

const Text = styled.p`
  max-inline-size: 44ch;
  color: var(--ink-2);
  ${small}
`;

const Copyright = styled.p`
  color: var(--ink-3);
  ${small}
`;
