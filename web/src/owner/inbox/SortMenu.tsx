import { ArrowDownWideNarrow, Check, ChevronDown } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import {
  Icon,
  Menu,
  MenuRadioItem,
  MenuRadioGroup,
  MenuItemIndicator,
  MenuPanel,
  MenuTrigger,
} from '../../ui/index.js';
import { textSize } from '../../theme/index.js';
import { toolButton } from './tool-button.js';
import type { Sort } from './types.js';

const SORTS: readonly Sort[] = ['newest', 'oldest'];

interface Props {
  sort: Sort;
  onChange: (sort: Sort) => void;
}

export function SortMenu({ sort, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <SortButton type="button" aria-label={`${t('messages.sort.label')}: ${t(`messages.sort.${sort}`)}`}>
          <Icon of={ArrowDownWideNarrow} size="sm" />
          <span>{t(`messages.sort.${sort}`)}</span>
          <Icon of={ChevronDown} size="sm" />
        </SortButton>
      </MenuTrigger>
      <MenuPanel align="end" sideOffset={6}>
        <MenuRadioGroup
          value={sort}
          onValueChange={(value) => {
            onChange(value === 'oldest' ? 'oldest' : 'newest');
          }}
        >
          {SORTS.map((value) => (
            <MenuRadioItem key={value} value={value}>
              {t(`messages.sort.${value}`)}
              <MenuItemIndicator>
                <Icon of={Check} size="sm" />
              </MenuItemIndicator>
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuPanel>
    </Menu>
  );
}

const SortButton = styled.button`
  ${toolButton}
  font-weight: 500;
  ${textSize('15px', '14px')}
`;
