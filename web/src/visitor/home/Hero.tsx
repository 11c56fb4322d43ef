import { ArrowDown } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { ButtonLink, Container, Icon, StatusDot } from '../../ui/index.js';
import { headline, textSize } from '../../theme/index.js';
import { HeroPicture } from './HeroPicture.js';

export function Hero() {
  const { t } = useTranslation();
  return (
    <Layout>
      <Text>
        <Tagline>
          <StatusDot $colour="var(--rose)" />
          {t('home.hero.kicker')}
        </Tagline>
        <h1>
          {t('home.hero.before')}
          <Highlighted>{t('home.hero.marked')}</Highlighted>
          {t('home.hero.after')}
        </h1>
        <Intro>{t('home.hero.text')}</Intro>
        <Buttons>
          <ButtonLink to="/auth" variant="primary" size="lg">
            {t('home.hero.create')}
          </ButtonLink>
          <ButtonLink to="#how-it-works" variant="ghost" size="lg">
            {t('home.hero.more')}
            <Icon of={ArrowDown} />
          </ButtonLink>
        </Buttons>
      </Text>
      <HeroPicture />
    </Layout>
  );
}

const Layout = styled(Container)`
  display: grid;
  grid-template-columns: minmax(0, 1fr) 560px;
  gap: 40px;
  align-items: center;
  padding-block-start: 8px;
  ${({ theme }) => theme.media.narrow} {
    grid-template-columns: minmax(0, 1fr) minmax(0, 480px);
  }
  ${({ theme }) => theme.media.stacked} {
    grid-template-columns: minmax(0, 11fr) minmax(0, 9fr);
    gap: 28px;
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`;

const Text = styled.div`
  display: grid;
  gap: 24px;
  padding-block: 24px;
  h1 {
    ${headline('84px', '76px', 1.2, 1.05, -0.028)}
  }
  ${({ theme }) => theme.media.narrow} {
    h1 {
      ${textSize('64px', '58px')}
    }
  }
  ${({ theme }) => theme.media.stacked} {
    h1 {
      ${textSize('54px', '48px')}
    }
  }
  ${({ theme }) => theme.media.phone} {
    gap: 16px;
    padding-block: 20px 0;
  }
`;

const Tagline = styled.p`
  display: inline-flex;
  align-items: center;
  gap: 12px;
  font-weight: 500;
  color: var(--ink-2);
  ${({ theme }) => theme.media.phone} {
    font-size: 1rem;
  }
`;

const Highlighted = styled.span`
  position: relative;
  white-space: nowrap;
  isolation: isolate;
  &::after {
    content: '';
    position: absolute;
    inset-inline: -4px;
    inset-block-end: 0.02em;
    block-size: 0.2em;
    z-index: -1;
    background: var(--underline);
    border-radius: 2px 2px 40px 40px / 2px 2px 18px 18px;
  }
  :lang(en) &::after {
    inset-block-end: -0.02em;
    block-size: 0.16em;
  }
`;

const Intro = styled.p`
  ${textSize('21px', '19px')}
  line-height: 1.8;
  color: var(--ink-2);
  max-inline-size: 20em;
  :lang(en) & {
    line-height: 1.6;
    max-inline-size: 23.3em;
  }
  ${({ theme }) => theme.media.phone} {
    ${textSize('18.5px', '17px')}
  }
`;

const Buttons = styled.div`
  display: flex;
  align-items: center;
  gap: 12px;
  flex-wrap: wrap;
  ${({ theme }) => theme.media.phone} {
    > a {
      flex: 1;
    }
    > a + a {
      border-color: var(--line-strong);
    }
  }
`;
