import { ArrowLeft } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Badge, Button, Icon, Row } from '../../../ui/index.js';
import { useFormats, useTranslation } from '../../../i18n/index.js';
import { textSize } from '../../../theme/index.js';
import type { PagedList } from './paged-list.js';
import { PaneNote, PaneRows, ROW_ID, type RowsProps, type RowState } from './rows.js';

interface Selected<T> {
  /** Null if nothing is selected. Kept for an item that is gone. */
  id: number | null;
  item: T | null;
  select: (item: T) => void;
  clear: () => void;
}

/** @param options.keepsGone keeps showing an item that left the list */
export function useSelected<T extends { id: number }>(
  list: PagedList<T>,
  { keepsGone = false }: { keepsGone?: boolean } = {},
): Selected<T> {
  const [selected, select] = useState<T | null>(null);
  const listed = list.items?.find(({ id }) => id === selected?.id);
  return {
    id: selected?.id ?? null,
    item: listed ?? (keepsGone ? selected : null),
    select,
    clear: () => select(null),
  };
}

interface Props<T extends { id: number }> extends Pick<RowsProps<T>, 'list' | 'failed' | 'empty'> {
  title: string;
  selected: Selected<T>;
  action?: ReactNode;
  search?: ReactNode;
  /** Replaces the rows. */
  note?: ReactNode;
  row: (item: T, row: RowState) => ReactNode;
  detail: (item: T) => ReactNode;
  prompt: { title: string; text: string };
}

/** On a phone, shows either the list or the selected item. */
export function ListDetail<T extends { id: number }>({
  title,
  list,
  failed,
  empty,
  selected,
  action,
  search,
  note,
  row,
  detail,
  prompt,
}: Props<T>) {
  const { t } = useTranslation();
  const titleId = useId();
  const { item } = selected;
  const { pane, back, leave } = usePaneFocus(item?.id ?? null);

  return (
    <Frame>
      <ListPane ref={pane} tabIndex={-1} aria-labelledby={titleId} $hidden={item !== null}>
        <ListTop as="header" $between>
          <PaneTitle>
            <span id={titleId}>{title}</span>
            {action !== undefined && <Count list={list} />}
          </PaneTitle>
          {action ?? <Count list={list} />}
        </ListTop>
        {search}
        <ScrollFrame>
          <ScrollArea aria-busy={list.loading}>
            {note ?? (
              <PaneRows list={list} failed={failed} empty={empty}>
                {(each) => (
                  <Fragment key={each.id}>
                    {row(each, {
                      id: each.id,
                      current: each.id === selected.id,
                      onSelect: () => selected.select(each),
                    })}
                  </Fragment>
                )}
              </PaneRows>
            )}
          </ScrollArea>
        </ScrollFrame>
      </ListPane>
      <DetailPane data-testid="detail" $hidden={item === null}>
        {item === null ? (
          <PaneNote title={prompt.title} text={prompt.text} />
        ) : (
          <>
            <Back ref={back}>
              <Button
                variant="ghost"
                size="sm"
                onClick={() => {
                  leave();
                  selected.clear();
                }}
              >
                <Icon of={ArrowLeft} flip />
                {t('admin.back')}
              </Button>
            </Back>
            {detail(item)}
          </>
        )}
      </DetailPane>
    </Frame>
  );
}

/** The loaded items while the total is unknown. */
function Count<T>({ list: { items, total } }: { list: PagedList<T> }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  if (items === undefined || (items.length === 0 && total === null)) return null;
  return (
    <Badge data-testid="count">
      <bdi>{total === null ? t('admin.moreThan', { count: items.length }) : number(total)}</bdi>
    </Badge>
  );
}

/** Moves the focus when one pane replaces the other. Side by side, it stays. */
function usePaneFocus(shown: number | null) {
  const pane = useRef<HTMLElement>(null);
  const back = useRef<HTMLDivElement>(null);
  const before = useRef<number | null>(null);
  const cameBack = useRef(false);

  useEffect(() => {
    const last = before.current;
    before.current = shown;
    if (shown === last) return;
    if (shown !== null) {
      back.current?.querySelector('button')?.focus();
      return;
    }
    const row = cameBack.current ? pane.current?.querySelector<HTMLElement>(`[${ROW_ID}="${String(last)}"]`) : null;
    cameBack.current = false;
    if (row) row.focus();
    else if (pane.current?.contains(document.activeElement) === false) pane.current.focus();
  }, [shown]);

  return {
    pane,
    back,
    leave: () => {
      cameBack.current = true;
    },
  };
}

const Frame = styled.section`
  display: grid;
  grid-template-columns: 408px minmax(0, 1fr);
  background: var(--surface);
  border: 1px solid var(--line);
  ${({ theme }) => theme.bubble.dialog}
  overflow: hidden;
  min-block-size: max(640px, 100vh - 220px);
  box-shadow: var(--shadow-1);
  ${({ theme }) => theme.media.stacked} {
    grid-template-columns: 340px minmax(0, 1fr);
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    border-radius: 24px;
    border-end-start-radius: 7px;
    min-block-size: 0;
  }
`;

const ListPane = styled.section<{ $hidden: boolean }>`
  border-inline-end: 1px solid var(--line);
  min-inline-size: 0;
  display: flex;
  flex-direction: column;
  &:focus {
    outline: 0;
  }
  ${({ theme }) => theme.media.phone} {
    border: 0;
    display: ${({ $hidden }) => ($hidden ? 'none' : 'flex')};
  }
`;

const ListTop = styled(Row)`
  padding: 18px 22px;
  min-block-size: 73px;
  border-block-end: 1px solid var(--line);
  ${({ theme }) => theme.media.phone} {
    padding-inline: 18px;
  }
`;

const PaneTitle = styled.h2`
  display: flex;
  align-items: center;
  gap: 10px;
  ${textSize('20px', '18px')}
`;

/* The detail pane sets the height; the list scrolls. */
const ScrollFrame = styled.div`
  flex: 1;
  position: relative;
  ${({ theme }) => theme.media.phone} {
    position: static;
  }
`;

const ScrollArea = styled.div`
  position: absolute;
  inset: 0;
  overflow-y: auto;
  ${({ theme }) => theme.media.phone} {
    position: static;
  }
`;

const DetailPane = styled.article<{ $hidden: boolean }>`
  padding: 22px 28px 28px;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 18px;
  align-content: start;
  min-inline-size: 0;
  ${({ theme }) => theme.media.phone} {
    display: ${({ $hidden }) => ($hidden ? 'none' : 'grid')};
    padding: 16px 18px 22px;
  }
`;

const Back = styled.div`
  display: none;
  margin-inline-start: -10px;
  ${({ theme }) => theme.media.phone} {
    display: block;
  }
`;
