import { Suspense, useState } from 'react';
import { styled } from 'styled-components';
import {
  Container,
  MessageSkeletons,
  OptionalView,
  PageLoading,
  Stack,
  TooltipProvider,
  TwoColumns,
} from '../../ui/index.js';
import { STACKED } from '../../theme/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import { useCurrentUser, type User } from '../../shared/session/index.js';
import { InfoCard } from './InfoCard.js';
import { AccountRow } from './AccountRow.js';
import { ProfileHeader } from './ProfileHeader.js';
import { ShareCard } from './ShareCard.js';
import { StatsCard } from './StatsCard.js';
import { RestoreNotice } from './RestoreNotice.js';
import { WaveNotice } from './WaveNotice.js';
import { useShare } from './use-share.js';
import { useMedia } from '../../lib/hooks.js';
import { lazyPart } from '../../lib/on-demand.js';
import { useOfflinePage } from '../../lib/service-worker.js';

/** A separate chunk, loaded in parallel by the router. */
const Inbox = lazyPart(async () => (await import('../inbox/index.js')).Inbox);
const ShareDialog = lazyPart(async () => (await import('./ShareDialog.js')).ShareDialog);

export function ProfilePage() {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  useDocumentTitle(t('profile.title'));
  return user === null ? <PageLoading label={t('profile.loading')} /> : <Dashboard user={user} />;
}

function Dashboard({ user }: { user: User }) {
  const share = useShare(user.username);
  useOfflinePage();
  const [sharing, setSharing] = useState<'never' | 'open' | 'closed'>('never');
  const isStacked = useMedia(STACKED);
  const openShare = () => {
    setSharing('open');
  };
  return (
    <Page>
      {isStacked ? (
        <AccountRow user={user} share={share} onShare={openShare} />
      ) : (
        <ProfileHeader user={user} onShare={openShare} />
      )}
      {sharing !== 'never' && (
        <OptionalView
          onClose={() => {
            setSharing('never');
          }}
        >
          <ShareDialog
            user={user}
            share={share}
            open={sharing === 'open'}
            onClose={() => {
              setSharing('closed');
            }}
          />
        </OptionalView>
      )}
      {user.restoredTo !== undefined && <RestoreNotice to={user.restoredTo} />}
      <WaveNotice />
      <TooltipProvider>
        <Columns>
          {!isStacked && (
            <Stack as="aside">
              <ShareCard share={share} username={user.username} />
              <InfoCard user={user} />
              <StatsCard />
            </Stack>
          )}
          <Suspense fallback={<MessageSkeletons />}>
            <Inbox owner={user} onCopyLink={share.copyLink} />
          </Suspense>
        </Columns>
      </TooltipProvider>
    </Page>
  );
}

const Page = styled(Container)`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 4px;
`;

const Columns = styled(TwoColumns)`
  padding-block-start: 24px;
  ${({ theme }) => theme.media.stacked} {
    padding-block-start: 0;
  }
`;
