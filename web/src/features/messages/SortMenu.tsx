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
} from '../../components/index.js';
import { textSize } from '../../theme/index.js';
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
          {t(`messages.sort.${sort}`)}
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
  white-space: nowrap;
  flex: none;
  display: inline-flex;
  align-items: center;
  gap: 8px;
  min-block-size: 40px;
  padding: 6px 14px;
  ${({ theme }) => theme.bubble.chip}
  border: 1px solid var(--line-strong);
  background: var(--surface);
  font-weight: 500;
  ${textSize('15px', '14px')}
  &:hover {
    background: var(--sunken);
  }
  ${({ theme }) => theme.media.phone} {
    min-block-size: 44px;
    padding-inline: 10px;
    > svg:first-child {
      display: none;
    }
  }
`;
