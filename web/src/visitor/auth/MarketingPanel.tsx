import { Languages, LockKeyhole, UserRoundX } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { BOWL, DOTS, Icon } from '../../ui/index.js';
import { headline, textSize, visuallyHidden } from '../../theme/index.js';

export function MarketingPanel() {
  const { t } = useTranslation();
  const points = [
    { icon: LockKeyhole, title: t('auth.panel.safe'), text: t('auth.panel.safeText') },
    { icon: UserRoundX, title: t('auth.panel.nameless'), text: t('auth.panel.namelessText') },
    { icon: Languages, title: t('auth.panel.languages'), text: t('auth.panel.languagesText') },
  ];
  return (
    <Panel>
      <div>
        <h2>{t('auth.panel.title')}</h2>
        <p>{t('auth.panel.text')}</p>
      </div>
      <ul>
        {points.map(({ icon, title, text }) => (
          <li key={title}>
            <Icon of={icon} size="lg" />
            <div>
              <b>{title}</b>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
      <Bowl viewBox="0 0 64 64" aria-hidden="true">
        <path fill="var(--on-violet)" d={BOWL} />
        <path fill="var(--gold)" d={DOTS[1]} />
      </Bowl>
    </Panel>
  );
}

const Panel = styled.aside`
  background: var(--panel);
  color: var(--on-violet);
  ${({ theme }) => theme.bubble.stage}
  padding: 52px 48px 0;
  display: grid;
  grid-template-rows: auto auto 1fr;
  gap: 32px;
  align-content: start;
  position: relative;
  overflow: hidden;
  isolation: isolate;
  min-block-size: 660px;
  &::before {
    content: '';
    position: absolute;
    inset: 0;
    background: var(--pattern-light);
    opacity: 0.07;
    z-index: -1;
  }
  h2 {
    ${headline('44px', '40px')}
  }
  > div p {
    font-size: 1.1875rem;
    opacity: 0.92;
    margin-block-start: 4px;
  }
  ul {
    display: grid;
    gap: 20px;
    align-content: start;
  }
  li {
    display: flex;
    gap: 16px;
  }
  li > svg {
    margin-block-start: 4px;
  }
  li b {
    ${textSize('18px', '16px')}
  }
  li p {
    line-height: 1.65;
    opacity: 0.92;
  }
  ${({ theme }) => theme.media.stacked} {
    min-block-size: 0;
  }
  /* A footnote to the form above. */
  ${({ theme }) => theme.media.phone} {
    padding: 16px 20px;
    gap: 8px;
    border-radius: 26px;
    border-end-start-radius: 8px;
    h2 {
      ${textSize('22px', '20px')}
      line-height: 1.35;
    }
    > div p {
      ${textSize('15px', '13.5px')}
      line-height: 1.5;
      margin: 0;
    }
    ul {
      gap: 4px;
    }
    li {
      gap: 10px;
      align-items: center;
      line-height: 1.5;
    }
    li > svg {
      inline-size: 18px;
      block-size: 18px;
      margin: 0;
    }
    li b {
      ${textSize('15px', '13.5px')}
      line-height: 1.5;
    }
    li p {
      ${visuallyHidden}
    }
  }
`;

const Bowl = styled.svg`
  inline-size: 300px;
  block-size: 300px;
  justify-self: center;
  margin-block: auto -52px;
  ${({ theme }) => theme.media.phone} {
    display: none;
  }
`;
