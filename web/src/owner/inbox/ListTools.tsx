import { CalendarSearch, Check, Ellipsis, ListChecks } from 'lucide-react';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import {
  Icon,
  IconButton,
  Menu,
  MenuItem,
  MenuItemIndicator,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
  OptionalView,
} from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { lazyPart } from '../../lib/on-demand.js';
import { MenuSheet } from './MenuSheet.js';
import type { MonthProps } from './MonthList.js';
import type { Sort } from './types.js';

const MonthList = lazyPart(async () => (await import('./MonthList.js')).MonthList);

const SORTS: readonly Sort[] = ['newest', 'oldest'];

/** @param month such as `2026-10` */
export function startOfMonth(month: string, sort: Sort): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(year, number - (sort === 'newest' ? 0 : 1)).toISOString();
}

interface Props extends MonthProps {
  /** A search has no months. */
  hasMonths: boolean;
  sort: Sort;
  onSort: (sort: Sort) => void;
  onSelect: () => void;
}

/** Month, order and selection, which few visits need. */
export function ListTools({ filter, hasMonths, sort, onJump, onSort, onSelect }: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<'nothing' | 'tools' | 'months'>('nothing');
  const close = () => setShown('nothing');
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu modal={false} open={shown !== 'nothing'} onOpenChange={(isOpen) => setShown(isOpen ? 'tools' : 'nothing')}>
      <MenuTrigger asChild>
        <Opener ref={button} label={t('messages.list.tools')}>
          <Icon of={Ellipsis} />
        </Opener>
      </MenuTrigger>
      <Panel opener={button}>
        {shown === 'months' ? (
          <OptionalView onClose={close}>
            <MonthList filter={filter} onJump={onJump} />
          </OptionalView>
        ) : (
          <>
            {hasMonths && (
              <MenuItem
                onSelect={(event) => {
                  event.preventDefault();
                  setShown('months');
                }}
              >
                <Icon of={CalendarSearch} />
                {t('messages.month.jump')}
              </MenuItem>
            )}
            <MenuItem onSelect={onSelect}>
              <Icon of={ListChecks} />
              {t('messages.select.begin')}
            </MenuItem>
            <MenuSeparator />
            <MenuRadioGroup
              aria-label={t('messages.sort.label')}
              value={sort}
              onValueChange={(value) => onSort(value === 'oldest' ? 'oldest' : 'newest')}
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
          </>
        )}
      </Panel>
    </Menu>
  );
}

const Opener = styled(IconButton)`
  flex: none;
  border: 1px solid var(--line-strong);
  background: var(--surface);
`;

const Panel = styled(MenuSheet)`
  inline-size: 272px;
  max-block-size: min(420px, 70dvh);
  overflow-y: auto;
  ${({ theme }) => theme.media.phone} {
    inline-size: auto;
    max-block-size: 70dvh;
  }
`;
