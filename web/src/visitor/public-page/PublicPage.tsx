import { Suspense, useState } from 'react';
import { Optional, optionalPart, PageLoading } from '../../ui/index.js';
import { useDocumentTitle } from '../../i18n/index.js';
import { lazyPart } from '../../lib/on-demand.js';
import { isolate } from '../../lib/text.js';
import { MissingPage, OwnerPage, type PageProps } from './OwnerPage.js';
import type { First } from './types.js';

export const loadQueriedPage = async () => (await import('./late.js')).QueriedPage;
const QueriedPage = lazyPart(loadQueriedPage);
const FollowedPage = optionalPart(async () => (await import('./late.js')).FollowedPage);

interface Props extends Pick<PageProps, 'asked' | 'unsent'> {
  username: string;
}

/** @param first what the HTML has; without it the page is fetched */
export function PublicPage({ first, ...props }: Props & { first?: First | undefined }) {
  return first === undefined ? (
    <Suspense fallback={<PageLoading />}>
      <QueriedPage {...props} />
    </Suspense>
  ) : (
    <RenderedPage {...props} first={first} />
  );
}

function RenderedPage({ username, first, ...props }: Props & { first: First }) {
  const [profile, setProfile] = useState(first.profile);
  const [total, setTotal] = useState(first.messages.total);
  const [isMissing, setMissing] = useState(false);
  useDocumentTitle(isolate(profile.name));
  return (
    <>
      {isMissing ? (
        <Optional>
          <MissingPage />
        </Optional>
      ) : (
        <OwnerPage key={profile.id} {...props} profile={profile} total={total} first={first.messages} />
      )}
      <FollowedPage
        username={username}
        first={first}
        onProfile={setProfile}
        onTotal={setTotal}
        onMissing={setMissing}
      />
    </>
  );
}
