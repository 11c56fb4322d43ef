import { type LucideIcon, Rows2, Rows4 } from 'lucide-react';
import { styled } from 'styled-components';
import { Icon } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import type { Density } from './use-density.js';

const CHOICES: readonly (readonly [Density, LucideIcon])[] = [
  ['compact', Rows4],
  ['comfortable', Rows2],
];

interface Props {
  density: Density;
  onChoose: (density: Density) => void;
}

export function DensitySwitch({ density, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <Halves role="group" aria-label={t('messages.density.label')}>
      {CHOICES.map(([each, icon]) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === density}
          onClick={() => {
            onChoose(each);
          }}
        >
          <Icon of={icon} size="sm" />
          {t(`messages.density.${each}`)}
        </button>
      ))}
    </Halves>
  );
}

const Halves = styled.div`
  display: inline-flex;
  gap: 2px;
  margin-inline-start: auto;
  padding: 3px;
  background: var(--sunken);
  border-radius: 13px;
  border-end-start-radius: 4px;
  button {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    min-block-size: 34px;
    padding-inline: 12px;
    border-radius: 10px;
    border-end-start-radius: 3px;
    font-weight: 500;
    color: var(--ink-2);
    white-space: nowrap;
    ${textSize('15px', '14px')}
  }
  [aria-pressed='true'] {
    background: var(--tab-selected);
    color: var(--ink);
    font-weight: 700;
    box-shadow: var(--shadow-1);
  }
`;
