import { Pencil } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { styled } from 'styled-components';
import {
  ButtonLink,
  Container,
  Icon,
  MessageSkeletons,
  Optional,
  OptionalView,
  PageLoading,
  Stack,
  TooltipProvider,
  TwoColumns,
} from '../../ui/index.js';
import { STACKED } from '../../theme/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import { type NewAccount, useCurrentUser, type User } from '../../shared/session/index.js';
import { InfoCard } from './InfoCard.js';
import { AccountRow } from './AccountRow.js';
import { CodesRow } from './CodesRow.js';
import { ProfileHeader } from './ProfileHeader.js';
import { ReadyHead } from './ReadyHead.js';
import { ShareCard } from './ShareCard.js';
import { StatsCard } from './StatsCard.js';
import { RestoreNotice } from './RestoreNotice.js';
import { WaveNotice } from './WaveNotice.js';
import { useShare } from './use-share.js';
import { useMedia } from '../../lib/hooks.js';
import { lazyPart } from '../../lib/on-demand.js';
import { useOfflinePage } from '../../lib/service-worker.js';
import { useGetStatsQuery } from '../inbox/index.js';
import type { Prompt } from '../prompts/index.js';

/** A separate chunk, loaded in parallel by the router. */
const Inbox = lazyPart(async () => (await import('../inbox/index.js')).Inbox);
const DailyQuestions = lazyPart(async () => (await import('../prompts/index.js')).DailyQuestions);
const ShareDialog = lazyPart(async () => (await import('./ShareDialog.js')).ShareDialog);

export function ProfilePage() {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  useDocumentTitle(t('profile.title'));
  return user === null ? <PageLoading label={t('profile.loading')} /> : <Dashboard user={user} />;
}

function Dashboard({ user }: { user: User }) {
  const { t } = useTranslation();
  const { state } = useLocation() as { state: NewAccount | null };
  const { data: stats } = useGetStatsQuery();
  const isNew = state?.isNew === true && (stats === undefined || stats.received + stats.sent === 0);
  const share = useShare(user.username);
  useOfflinePage();
  const [sharing, setSharing] = useState<'never' | 'open' | 'closed'>('never');
  const isStacked = useMedia(STACKED);
  const [asked, setAsked] = useState<Prompt | null>(null);
  const openShare = () => {
    setAsked(null);
    setSharing('open');
  };
  const shareQuestion = (prompt: Prompt) => {
    setAsked(prompt);
    setSharing('open');
  };
  return (
    <Page>
      {!isNew &&
        (isStacked ? (
          <AccountRow user={user} share={share} onShare={openShare} />
        ) : (
          <ProfileHeader user={user} onShare={openShare} />
        ))}
      {sharing !== 'never' && (
        <OptionalView
          onClose={() => {
            setSharing('never');
          }}
        >
          <ShareDialog
            user={user}
            asked={asked}
            onAsked={shareQuestion}
            open={sharing === 'open'}
            onClose={() => {
              setSharing('closed');
            }}
          />
        </OptionalView>
      )}
      {user.restoredTo !== undefined && <RestoreNotice to={user.restoredTo} />}
      <WaveNotice />
      {!isNew && <CodesRow user={user} />}
      <TooltipProvider>
        <Columns $isNew={isNew}>
          {isNew ? (
            <ReadyHead user={user} share={share} />
          ) : (
            !isStacked && (
              <Stack as="aside">
                <ShareCard share={share} username={user.username} />
                <InfoCard user={user} />
                <StatsCard />
              </Stack>
            )
          )}
          <Stack>
            <Suspense fallback={<MessageSkeletons />}>
              <Inbox
                owner={user}
                onCopyLink={share.copyLink}
                firstDay={
                  <Optional>
                    <Suspense fallback={<MessageSkeletons />}>
                      <DailyQuestions account={user.id} onAsked={shareQuestion} />
                    </Suspense>
                  </Optional>
                }
              />
            </Suspense>
            {isNew && user.bio === '' && (
              <Invitation>
                <ButtonLink to="/settings" variant="ghost">
                  <Icon of={Pencil} size="sm" />
                  {t('profile.ready.about')}
                </ButtonLink>
              </Invitation>
            )}
          </Stack>
        </Columns>
      </TooltipProvider>
    </Page>
  );
}

const Invitation = styled.div`
  a {
    white-space: normal;
  }
`;

const Page = styled(Container)`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 4px;
`;

const Columns = styled(TwoColumns)<{ $isNew: boolean }>`
  padding-block-start: 24px;
  ${({ $isNew }) => $isNew && 'grid-template-columns: minmax(0, 600px) minmax(0, 1fr); gap: 64px;'}
  ${({ theme }) => theme.media.stacked} {
    padding-block-start: 0;
    grid-template-columns: minmax(0, 1fr);
    ${({ $isNew }) => $isNew && 'gap: 28px;'}
  }
`;
