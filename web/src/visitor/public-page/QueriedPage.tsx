import { useEffect } from 'react';
import { isApiError } from '../../api/api-error.js';
import { PageFailure } from '../../ui/LoadFailure.js';
import { PageLoading } from '../../ui/index.js';
import { useDocumentTitle } from '../../i18n/index.js';
import { isolate } from '../../lib/text.js';
import { useProfile, usePublicMessages } from './api.js';
import { MissingPage, OwnerPage, type PageProps } from './OwnerPage.js';
import type { First, PublicProfile } from './types.js';

const isUnknownAccount = (error: unknown) => isApiError(error) && error.status === 404;

export function QueriedPage({ username, ...props }: Pick<PageProps, 'asked' | 'unsent'> & { username: string }) {
  const { currentData: profile, error, refetch, isFetching } = useProfile(username);
  useDocumentTitle(profile && isolate(profile.name));

  if (isUnknownAccount(error)) return <MissingPage />;
  if (profile !== undefined) return <CountedPage key={profile.id} {...props} profile={profile} />;
  if (error === undefined) return <PageLoading />;
  return <PageFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />;
}

function CountedPage(props: Omit<PageProps, 'total'>) {
  const { data } = usePublicMessages(props.profile.id);
  return <OwnerPage {...props} total={data?.pages[0]?.total} />;
}

interface Props {
  username: string;
  first: First;
  onProfile: (profile: PublicProfile) => void;
  onTotal: (total: number) => void;
  onMissing: (isMissing: boolean) => void;
}

/** Refetches what may have changed since the HTML was rendered. */
export function FollowedPage({ username, first, onProfile, onTotal, onMissing }: Props) {
  const { currentData: profile = first.profile, error } = useProfile(username, first.profile);
  const { data } = usePublicMessages(profile.id, first.messages);
  const { total = first.messages.total } = { ...data?.pages[0] };
  const isMissing = isUnknownAccount(error);
  useEffect(() => {
    onProfile(profile);
    onTotal(total);
    onMissing(isMissing);
  }, [profile, total, isMissing, onProfile, onTotal, onMissing]);
  return null;
}
