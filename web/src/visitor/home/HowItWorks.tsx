import { EyeOff, LifeBuoy, ShieldCheck } from 'lucide-react';
import { styled } from 'styled-components';
import { Glyph, Icon } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import { Section, SectionHeader } from './section-parts.js';

const STEPS = [
  { name: 'create', dots: 1 },
  { name: 'share', dots: 2 },
  { name: 'receive', dots: 3 },
] as const;

const TRUST = [
  { name: 'secure', icon: ShieldCheck },
  { name: 'private', icon: EyeOff },
  { name: 'supported', icon: LifeBuoy },
] as const;

export function HowItWorks() {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <Section id="how-it-works">
      <SectionHeader>
        <h2>{t('home.steps.title')}</h2>
      </SectionHeader>
      <Steps>
        {STEPS.map(({ name, dots }, index) => (
          <li key={name}>
            <Glyph dots={dots} />
            <div>
              <h3>
                <span>{number(index + 1)}</span>
                {t(`home.steps.${name}.title`)}
              </h3>
              <p>{t(`home.steps.${name}.text`)}</p>
            </div>
          </li>
        ))}
      </Steps>
      <Trust>
        {TRUST.map(({ name, icon }) => (
          <li key={name}>
            <Icon of={icon} size="lg" />
            <div>
              <b>{t(`home.trust.${name}.title`)}</b>
              <span>{t(`home.trust.${name}.text`)}</span>
            </div>
          </li>
        ))}
      </Trust>
    </Section>
  );
}

const Steps = styled.ol`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 40px;
  li {
    display: grid;
    gap: 18px;
    align-content: start;
  }
  svg {
    inline-size: 88px;
    block-size: 88px;
    color: var(--violet);
  }
  h3 {
    ${textSize('24px', '21px')}
    display: flex;
    gap: 12px;
    margin-block-end: 6px;
    span {
      color: var(--ink-3);
      font-weight: 500;
      font-variant-numeric: tabular-nums;
    }
  }
  p {
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    gap: 28px;
    li {
      grid-template-columns: 64px minmax(0, 1fr);
    }
    svg {
      inline-size: 64px;
      block-size: 64px;
    }
  }
`;

const Trust = styled.ul`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  margin-block-start: 64px;
  border-block: 1px solid var(--line);
  li {
    display: flex;
    gap: 16px;
    align-items: center;
    padding-block: 24px;
  }
  li + li {
    border-inline-start: 1px solid var(--line);
    padding-inline-start: 32px;
  }
  b {
    display: block;
    line-height: 1.5;
  }
  span {
    display: block;
    color: var(--ink-2);
    ${textSize('15.5px', '14px')}
    line-height: 1.55;
  }
  svg {
    color: var(--violet-text);
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    margin-block-start: 40px;
    border-block-end: 0;
    li {
      padding-block: 16px;
      border-block-end: 1px solid var(--line);
    }
    li + li {
      border-inline-start: 0;
      padding-inline-start: 0;
    }
  }
`;
