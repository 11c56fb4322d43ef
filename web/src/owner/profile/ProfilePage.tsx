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
} from '../../ui/index.js';
import { DESK, STACKED } from '../../theme/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import { type NewAccount, useCurrentUser, type User } from '../../shared/session/index.js';
import { AccountRow } from './AccountRow.js';
import { CodesRow } from './CodesRow.js';
import { ReadyHead } from './ReadyHead.js';
import { RestoreNotice } from './RestoreNotice.js';
import { WaveNotice } from './WaveNotice.js';
import { useShare } from './use-share.js';
import { lazyPart } from '../../lib/on-demand.js';
import { useOfflinePage } from '../../lib/service-worker.js';
import { useGetStatsQuery } from '../inbox/index.js';
import type { Prompt } from '../prompts/index.js';
import type { Shared } from './ShareDialog.js';

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
  const [sharing, setSharing] = useState<(Shared & { isOpen: boolean }) | null>(null);
  const [head, setHead] = useState<HTMLElement | null>(null);
  const openShare = (shared: Shared = {}) => setSharing({ ...shared, isOpen: true });
  const shareQuestion = (asked: Prompt) => openShare({ asked });
  return (
    <Page $isNew={isNew}>
      {!isNew && <AccountRow user={user} share={share} onShare={() => openShare()} tools={setHead} />}
      {sharing !== null && (
        <OptionalView onClose={() => setSharing(null)}>
          <ShareDialog
            key={sharing.message?.id}
            {...sharing}
            user={user}
            onAsked={shareQuestion}
            open={sharing.isOpen}
            onClose={() => setSharing({ ...sharing, isOpen: false })}
          />
        </OptionalView>
      )}
      {user.restoredTo !== undefined && <RestoreNotice to={user.restoredTo} />}
      <WaveNotice />
      {!isNew && <CodesRow user={user} />}
      <TooltipProvider>
        <Columns $isNew={isNew}>
          {isNew && <ReadyHead user={user} share={share} />}
          <Stack>
            <Suspense fallback={<MessageSkeletons />}>
              <Inbox
                owner={user}
                head={isNew ? undefined : head}
                onCopyLink={share.copyLink}
                onShare={(message) => openShare({ message })}
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

const Page = styled(Container)<{ $isNew: boolean }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 4px;
  @media not all and ${DESK} {
    ${({ $isNew }) => !$isNew && 'max-inline-size: calc(760px + 2 * var(--gutter));'}
  }
`;

const Columns = styled.div<{ $isNew: boolean }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  align-items: start;
  ${({ $isNew }) =>
    $isNew &&
    `
  gap: 28px;
  @media not all and ${STACKED} {
    padding-block-start: 24px;
    grid-template-columns: minmax(0, 600px) minmax(0, 1fr);
    gap: 64px;
  }`}
`;
