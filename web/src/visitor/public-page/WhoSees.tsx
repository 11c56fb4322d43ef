import { ChevronDown, EyeOff, Shield, UserRound, Users } from 'lucide-react';
import { styled } from 'styled-components';
import { Icon } from '../../ui/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';
import { site } from '../../lib/site.js';
import { semibold, textSize } from '../../theme/index.js';

const TEXTS = ['site'] as const;
const ROWS = [
  ['owner', UserRound],
  ['staff', Shield],
  ['others', Users],
] as const;

export function WhoSees() {
  useTexts(TEXTS);
  const { t } = useTranslation();
  const texts = {
    owner: t('site.sees.ownerText'),
    staff: t(`site.sees.staffText.${site.tracking}`, { days: t('site.info.days', { count: site.trackingDays }) }),
    others: t('site.sees.othersText'),
  };
  return (
    <Details data-testid="who-sees">
      <summary>
        <span>
          <Icon of={EyeOff} size="sm" /> {t('publicPage.composer.promise')}
        </span>
        <b>
          {t('site.sees.ask')}
          <Icon of={ChevronDown} size="sm" />
        </b>
      </summary>
      <dl>
        {ROWS.map(([who, icon]) => (
          <div key={who}>
            <Icon of={icon} />
            <dt>{t(`site.sees.${who}`)}</dt>
            <dd>{texts[who]}</dd>
          </div>
        ))}
      </dl>
    </Details>
  );
}

const Details = styled.details`
  margin-block-start: 4px;
  summary {
    display: flex;
    flex-wrap: wrap;
    gap: 0 8px;
    align-items: center;
    min-block-size: 36px;
    list-style: none;
    cursor: pointer;
    color: var(--ink-2);
    ${textSize('16px', '14.5px')}
    line-height: 1.5;
    border-radius: 12px;
    &::-webkit-details-marker {
      display: none;
    }
  }
  summary > span > svg {
    display: inline;
    vertical-align: -0.2em;
    margin-inline-end: 2px;
  }
  summary b {
    display: inline-flex;
    gap: 4px;
    align-items: center;
    color: var(--violet-text);
    ${semibold}
    text-decoration: underline;
    text-decoration-color: color-mix(in srgb, var(--violet-text) 35%, transparent);
    text-underline-offset: 5px;
  }
  b svg {
    transition: rotate var(--base) var(--ease);
  }
  &[open] b svg {
    rotate: 180deg;
  }
  dl {
    display: grid;
    gap: 12px;
    background: var(--sunken);
    border-radius: 18px;
    border-end-start-radius: 6px;
    padding: 14px 16px;
    margin-block: 4px 6px;
    ${textSize('16px', '14px')}
    line-height: 1.6;
  }
  dl > div {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr);
    gap: 0 12px;
  }
  dl svg {
    grid-row: span 2;
    margin-block-start: 3px;
    color: var(--ink-3);
  }
  dt {
    font-weight: 700;
  }
  dd {
    grid-column: 2;
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.phone} {
    margin: 0;
    summary {
      min-block-size: 44px;
      padding-block: 2px 6px;
      gap: 0 6px;
      ${textSize('15px', '13.5px')}
    }
    summary b {
      gap: 2px;
    }
  }
`;
