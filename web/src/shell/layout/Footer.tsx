import { styled } from 'styled-components';
import { Logo, Container } from '../../ui/index.js';
import { useNow, useTexts, useTranslation } from '../../i18n/index.js';
import { INFO_PAGE_NAMES } from '../../lib/info-pages.js';
import { small, textSize } from '../../theme/index.js';
import { Link, useNavigation } from '../../ui/navigation.js';

export function Footer() {
  useTexts(['site']);
  const { t } = useTranslation();
  const { pathname } = useNavigation();
  const year = new Date(useNow()).getFullYear();
  return (
    <FooterElement>
      <Row>
        <Brand />
        <Links aria-label={t('site.footer.links')}>
          {INFO_PAGE_NAMES.map((page) => (
            <Link key={page} to={`/${page}`} aria-current={pathname === `/${page}` ? 'page' : undefined}>
              {t(`site.footer.${page}`)}
            </Link>
          ))}
        </Links>
        <End>
          <p>{t('site.footer.text')}</p>
          <Copyright>{t('site.footer.rights', { year })}</Copyright>
        </End>
      </Row>
    </FooterElement>
  );
}

/* Excluded from scroll anchoring where a list above it grows. */
const FooterElement = styled.footer`
  overflow-anchor: none;
  margin-block-start: 96px;
  border-block-start: 1px solid var(--line);
  ${({ theme }) => theme.media.phone} {
    margin-block-start: 64px;
  }
`;

const Row = styled(Container)`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 16px 40px;
  align-items: start;
  padding-block: 36px 56px;
  /* Keeps clear of the assistant's button. */
  @media (max-width: 1263px) {
    padding-block-end: 96px;
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    padding-block: 32px 96px;
  }
`;

const Brand = styled(Logo)`
  block-size: 32px;
  margin-block-start: 6px;
`;

const Links = styled.nav`
  display: flex;
  flex-wrap: wrap;
  gap: 0 6px;
  margin-inline: -10px;
  a {
    display: inline-flex;
    align-items: center;
    min-block-size: 44px;
    padding-inline: 10px;
    ${({ theme }) => theme.bubble.chip}
    color: var(--ink-2);
    ${textSize('16.5px', '14.5px')}
    &:hover,
    &[aria-current] {
      color: var(--ink);
      text-decoration: underline;
      text-underline-offset: 6px;
      text-decoration-color: var(--violet-text);
    }
  }
`;

const End = styled.div`
  grid-column: 1 / -1;
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: 8px 32px;
  border-block-start: 1px solid var(--line);
  padding-block-start: 16px;
  color: var(--ink-2);
  ${small}
  ${({ theme }) => theme.media.phone} {
    flex-direction: column;
  }
`;

const Copyright = styled.p`
  color: var(--ink-3);
`;
