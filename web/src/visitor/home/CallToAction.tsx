import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { ButtonLink, Glyph } from '../../ui/index.js';
import { darkSurface, Section, sectionTitle } from './section-parts.js';

export function CallToAction() {
  const { t } = useTranslation();
  return (
    <Section>
      <Block>
        <div>
          <h2>{t('home.closing.title')}</h2>
          <p>{t('home.closing.text')}</p>
          <Buttons>
            <ButtonLink to="/auth" variant="gold" size="lg">
              {t('home.closing.start')}
            </ButtonLink>
            <ButtonLink to="#features" variant="onDark" size="lg">
              {t('home.closing.explore')}
            </ButtonLink>
          </Buttons>
        </div>
        <Mark dots={1} />
      </Block>
    </Section>
  );
}

const Block = styled.div`
  ${darkSurface}
  ${({ theme }) => theme.bubble.stage}
  padding: 72px;
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  align-items: center;
  gap: 48px;
  h2 {
    ${sectionTitle}
  }
  p {
    color: var(--on-night-2);
    font-size: 1.1875rem;
    margin-block: 8px 28px;
  }
  a:focus-visible {
    outline-color: var(--on-night);
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    padding: 40px 26px 0;
    border-radius: 36px;
    border-end-start-radius: 10px;
    gap: 24px;
  }
`;

const Buttons = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
  ${({ theme }) => theme.media.phone} {
    > a {
      flex: 1;
    }
  }
`;

const Mark = styled(Glyph)`
  inline-size: 260px;
  block-size: 260px;
  margin-block: -20px;
  color: var(--violet);
  ${({ theme }) => theme.media.phone} {
    inline-size: 200px;
    block-size: 200px;
    margin: 0 0 -34px;
    justify-self: center;
  }
`;
