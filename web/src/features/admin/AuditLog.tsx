import { ScrollText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { useErrorText } from '../../app/use-error-text.js';
import { Button, Fold, Skeleton, Stack } from '../../components/index.js';
import { small } from '../../theme/index.js';
import { useGetAuditInfiniteQuery } from './api.js';
import { AuditRow } from './AuditRow.js';
import { usePagedList } from './use-paged-list.js';

/** The access log. It is closed, and not loaded, by default. */
export function AuditLog() {
  const { t } = useTranslation();
  return (
    <Ground data-testid="audit">
      <Fold title={t('admin.audit.title')} icon={ScrollText}>
        <Stack $gap={8}>
          <About>{t('admin.audit.text')}</About>
          <Entries />
        </Stack>
      </Fold>
    </Ground>
  );
}

function Entries() {
  const { t } = useTranslation();
  const errors = useErrorText();
  // Refetch on mount: the other tabs add entries.
  const list = usePagedList(useGetAuditInfiniteQuery(undefined, { refetchOnMountOrArgChange: true }));
  return (
    <>
      {list.loading && (
        <Stack aria-hidden="true">
          <Skeleton $inline="100%" $block="44px" />
          <Skeleton $inline="100%" $block="44px" />
        </Stack>
      )}
      <ol>
        {list.items?.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </ol>
      {list.error !== undefined && (
        <Stack>
          <p role="alert">{t('common.failure.load', { text: errors.text(list.error) })}</p>
          <div>
            <Button onClick={list.retry}>{t('common.action.retry')}</Button>
          </div>
        </Stack>
      )}
      {list.hasMore && (
        <Button block busy={list.loadingMore ? t('common.action.loading') : undefined} onClick={list.loadMore}>
          {t('common.action.loadMore')}
        </Button>
      )}
    </>
  );
}

const Ground = styled.div`
  background: var(--surface);
  border-radius: 18px;
  border-end-start-radius: 5px;
`;

const About = styled.p`
  color: var(--ink-2);
  ${small}
`;
