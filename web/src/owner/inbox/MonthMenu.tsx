import { CalendarSearch } from 'lucide-react';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Icon, Menu, MenuTrigger, OptionalView } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { lazyPart } from '../../lib/on-demand.js';
import { MenuSheet } from './MenuSheet.js';
import type { MonthProps } from './MonthList.js';
import { ToolButton } from './tool-button.js';
import type { Sort } from './types.js';

const MonthList = lazyPart(async () => (await import('./MonthList.js')).MonthList);

/** @param month such as `2026-10` */
export function startOfMonth(month: string, sort: Sort): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(year, number - (sort === 'newest' ? 0 : 1)).toISOString();
}

export function MonthMenu({ filter, onJump }: MonthProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
  };
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu modal={false} open={isOpen} onOpenChange={setOpen}>
      <MenuTrigger asChild>
        <ToolButton ref={button} type="button">
          <Icon of={CalendarSearch} />
          <span>{t('messages.month.jump')}</span>
        </ToolButton>
      </MenuTrigger>
      <Panel opener={button}>
        <OptionalView onClose={close}>
          <MonthList filter={filter} onJump={onJump} />
        </OptionalView>
      </Panel>
    </Menu>
  );
}

const Panel = styled(MenuSheet)`
  inline-size: 272px;
  max-block-size: min(420px, 70dvh);
  overflow-y: auto;
  ${({ theme }) => theme.media.phone} {
    inline-size: auto;
    max-block-size: 70dvh;
  }
`;
