import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { useErrorText } from '../../app/use-error-text.js';
import { Button } from '../../components/index.js';
import { small } from '../../theme/index.js';
import type { PagedList } from './use-paged-list.js';
import { PaneMore, PaneRowsLoading } from './PaneRow.js';
import { PaneNote } from './Panes.js';

interface Props<T> {
  list: PagedList<T>;
  /** Error title when the list cannot be loaded. */
  failed: string;
  empty: ReactNode;
  children: (item: T) => ReactNode;
}

/** The rows of a list, or its loading, error and empty state. */
export function PaneRows<T>({ list, failed, empty, children }: Props<T>) {
  const { t } = useTranslation();
  const errors = useErrorText();
  const { items } = list;
  if (items === undefined) {
    if (list.error === undefined) return <PaneRowsLoading />;
    return (
      <PaneNote title={failed} text={errors.text(list.error)}>
        <Button onClick={list.retry}>{t('common.action.retry')}</Button>
      </PaneNote>
    );
  }
  if (items.length === 0) return empty;
  return (
    <>
      <ul>{items.map(children)}</ul>
      {list.error !== undefined && (
        <Fault role="alert">{t('common.failure.load', { text: errors.text(list.error) })}</Fault>
      )}
      {list.hasMore && (
        <PaneMore
          label={t('common.action.loadMore')}
          busy={list.loadingMore ? t('common.action.loading') : undefined}
          onMore={list.loadMore}
        />
      )}
    </>
  );
}

const Fault = styled.p`
  padding: 16px 22px 0;
  color: var(--danger-text);
  ${small}
`;
