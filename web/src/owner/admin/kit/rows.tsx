import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { useTranslation } from '../../../i18n/index.js';
import { RetryButton } from '../../../ui/LoadFailure.js';
import { currentRow, Badge, Button, EmptyState, Skeleton } from '../../../ui/index.js';
import { preview } from '../../../lib/text.js';
import { small, textSize } from '../../../theme/index.js';
import { useErrorText } from '../../../api/use-error-text.js';
import type { PagedList } from './paged-list.js';

/** In characters. */
const PREVIEW = 40;

export const ROW_ID = 'data-row-id';

export const PaneNote = styled(EmptyState)`
  && {
    background: none;
    border: 0;
    box-shadow: none;
  }
`;

export interface RowState {
  id: number;
  current: boolean;
  onSelect: () => void;
}

interface RowProps extends RowState {
  text: string;
  badge: ReactNode;
  facts: ReactNode;
}

export function PaneRow({ id, current, text, badge, facts, onSelect }: RowProps) {
  return (
    <li>
      <RowButton
        type="button"
        {...{ [ROW_ID]: id }}
        aria-current={current || undefined}
        onClick={onSelect}
        data-testid="row"
      >
        <Top>
          <b dir="auto">{preview(text, PREVIEW)}</b>
          {badge}
        </Top>
        <Facts>{facts}</Facts>
      </RowButton>
    </li>
  );
}

function PaneRowsLoading() {
  return (
    <div aria-hidden="true" data-testid="rows-loading">
      {[0, 1, 2, 3].map((row) => (
        <Placeholder key={row}>
          <Skeleton $inline="72%" $block="16px" />
          <Skeleton $inline="52%" $block="12px" />
        </Placeholder>
      ))}
    </div>
  );
}

function LoadMoreRow({ label, busy, onMore }: { label: string; busy: string | undefined; onMore: () => void }) {
  return (
    <RowFooter>
      <Button block busy={busy} onClick={onMore}>
        {label}
      </Button>
    </RowFooter>
  );
}

export const Fact = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 6px;
`;

const Facts = styled.span`
  display: flex;
  flex-wrap: wrap;
  gap: 6px 16px;
  color: var(--ink-2);
  ${textSize('15px', '13px')}
  line-height: 1.5;
`;

const Top = styled.span`
  display: flex;
  justify-content: space-between;
  align-items: flex-start;
  gap: 12px;
  b {
    font-weight: 500;
    line-height: 1.6;
    min-inline-size: 0;
    overflow-wrap: anywhere;
    text-align: start;
  }
`;

const Placeholder = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 10px;
  padding: 18px 22px;
  border-block-end: 1px solid var(--line);
`;

const RowButton = styled.button`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  inline-size: 100%;
  gap: 6px;
  padding: 14px 22px;
  border-block-end: 1px solid var(--line);
  position: relative;
  text-align: start;
  &:hover {
    background: var(--sunken);
  }
  &:focus-visible {
    outline-offset: -3px;
  }
  &[aria-current='true'] {
    ${currentRow}
    b {
      font-weight: 700;
    }
    ${Badge} {
      background: var(--surface);
    }
  }
  ${({ theme }) => theme.media.phone} {
    padding-inline: 18px;
  }
`;

const RowFooter = styled.div`
  padding: 16px 22px;
`;

export interface RowsProps<T> {
  list: PagedList<T>;
  failed: string;
  empty: ReactNode;
  children: (item: T) => ReactNode;
}

export function PaneRows<T>({ list, failed, empty, children }: RowsProps<T>) {
  const { t } = useTranslation();
  const errors = useErrorText();
  const { items } = list;
  if (items === undefined) {
    if (list.error === undefined) return <PaneRowsLoading />;
    return (
      <PaneNote title={failed} text={errors.text(list.error)}>
        <RetryButton retrying={list.retrying} onRetry={list.retry} />
      </PaneNote>
    );
  }
  if (items.length === 0) return empty;
  return (
    <>
      <ul>{items.map(children)}</ul>
      {list.error !== undefined && (
        <ErrorText role="alert">{t('common.failure.load', { text: errors.text(list.error) })}</ErrorText>
      )}
      {list.hasMore && (
        <LoadMoreRow
          label={t('common.action.loadMore')}
          busy={list.loadingMore ? t('common.action.loading') : undefined}
          onMore={list.loadMore}
        />
      )}
    </>
  );
}

const ErrorText = styled.p`
  padding: 16px 22px 0;
  color: var(--danger-text);
  ${small}
`;
