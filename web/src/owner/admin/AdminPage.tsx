import { ArrowLeft, BotMessageSquare, Flag, History, Radar, UserRoundPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { styled } from 'styled-components';
import { PageFailure } from '../../ui/LoadFailure.js';
import { ButtonLink, Container, Icon, NoticePage, Tab, TabList, TabPanel, Tabs } from '../../ui/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import { useGetTotpQuery } from '../../shared/credentials/index.js';
import { useCurrentUser } from '../../shared/session/index.js';
import { scrollingRow, useCurrentInView } from '../scrolling-row.js';
import { AccountTab } from './AccountTab.js';
import { useGetReportCountsQuery } from './api.js';
import { ChatbotTab } from './ChatbotTab.js';
import { HistoryTab } from './HistoryTab.js';
import { PageTitle } from './page-parts.js';
import { ReportsTab } from './ReportsTab.js';
import { TrackingTab } from './TrackingTab.js';

const TABS = [
  { value: 'tracking', icon: Radar, Content: TrackingTab },
  { value: 'chatbot', icon: BotMessageSquare, Content: ChatbotTab },
  { value: 'reports', icon: Flag, Content: ReportsTab },
  { value: 'history', icon: History, Content: HistoryTab },
  { value: 'account', icon: UserRoundPlus, Content: AccountTab },
] as const;

const MODERATOR_TABS = TABS.filter(({ value }) => value === 'reports' || value === 'history');

export function AdminPage() {
  const { t } = useTranslation();
  const { user, loading, failure } = useCurrentUser();
  const isStaff = user !== null && (user.isAdmin || user.isModerator);
  const { data: totp } = useGetTotpQuery(undefined, { skip: !isStaff });
  useDocumentTitle(t('admin.title'));
  if (failure !== null) return <PageFailure {...failure} />;
  if (loading) return null;
  if (!isStaff) return <Denied />;
  // Discards the previous account's data.
  return totp?.isRequired === true && !totp.isOn ? (
    <NeedsTotp />
  ) : (
    <Dashboard key={user.id} tabs={user.isAdmin ? TABS : MODERATOR_TABS} />
  );
}

function NeedsTotp() {
  const { t } = useTranslation();
  return (
    <NoticePage locked title={t('admin.needsTotp.title')} text={t('admin.needsTotp.text')}>
      <ButtonLink to="/settings/access" variant="primary">
        {t('admin.needsTotp.open')}
      </ButtonLink>
    </NoticePage>
  );
}

function Denied() {
  const { t } = useTranslation();
  return (
    <NoticePage locked title={t('admin.denied.title')} text={t('admin.denied.text')}>
      <ButtonLink to="/" variant="primary">
        <Icon of={ArrowLeft} flip />
        {t('admin.denied.back')}
      </ButtonLink>
    </NoticePage>
  );
}

function Dashboard({ tabs }: { tabs: readonly (typeof TABS)[number][] }) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const row = useRef<HTMLDivElement>(null);
  const asked = tabs.find(({ value }) => value === search.get('tab'));
  const { data: counts, isLoading } = useGetReportCountsQuery();
  // A later decision changes no section.
  const [first, setFirst] = useState<(typeof TABS)[number]>();
  if (first === undefined && !isLoading)
    setFirst(tabs.find(({ value }) => value === 'reports' && counts !== undefined && counts.open !== 0) ?? tabs[0]);
  const open = asked ?? first;
  useCurrentInView(row, open?.value ?? '');
  if (open === undefined) return null;
  const title = t(tabs === TABS ? 'admin.title' : `admin.tabs.${open.value}`);
  return (
    <Page>
      <Sections value={open.value} onValueChange={(tab) => setSearch({ tab }, { replace: true })}>
        <Head>
          <PageTitle>{title}</PageTitle>
          <Row ref={row} aria-label={t('admin.title')}>
            {tabs.map(({ value, icon }) => (
              <Tab key={value} value={value}>
                <Icon of={icon} size="sm" />
                {t(`admin.tabs.${value}`)}
              </Tab>
            ))}
          </Row>
        </Head>
        {tabs.map(({ value, Content }) => (
          <TabPanel key={value} value={value} tabIndex={-1}>
            <Content />
          </TabPanel>
        ))}
      </Sections>
    </Page>
  );
}

const Page = styled(Container)`
  padding-block-end: 48px;
`;

const Sections = styled(Tabs)`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 20px;
`;

const Head = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: end;
  justify-content: space-between;
  gap: 24px;
  h1 {
    margin-block-start: 20px;
  }
`;

const Row = styled(TabList)`
  min-inline-size: 440px;
  ${({ theme }) => theme.media.phone} {
    min-inline-size: 100%;
    background: none;
    ${scrollingRow}
    > button {
      min-block-size: 48px;
    }
  }
`;
