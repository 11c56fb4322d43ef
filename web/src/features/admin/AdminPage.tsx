import { ArrowLeft, BotMessageSquare, Radar, UserRoundPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { styled } from 'styled-components';
import { ButtonLink, Container, Icon, NoticePage, Tab, TabList, TabPanel, Tabs } from '../../components/index.js';
import { useDocumentTitle } from '../../i18n/index.js';
import { useCurrentUser } from '../session/index.js';
import { AccountTab } from './AccountTab.js';
import { ChatbotTab } from './ChatbotTab.js';
import { PageTitle } from './page-parts.js';
import { TrackingTab } from './TrackingTab.js';

const TABS = [
  { value: 'tracking', icon: Radar, Content: TrackingTab },
  { value: 'chatbot', icon: BotMessageSquare, Content: ChatbotTab },
  { value: 'account', icon: UserRoundPlus, Content: AccountTab },
] as const;

export function AdminPage() {
  const { t } = useTranslation();
  const { user, loading } = useCurrentUser();
  useDocumentTitle(t('admin.title'));
  if (loading) return null;
  // The key discards the data of the previous administrator.
  return user?.isAdmin ? <Dashboard key={user.id} /> : <Denied />;
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

function Dashboard() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const open = TABS.find(({ value }) => value === search.get('tab')) ?? TABS[0];
  return (
    <Page>
      <Sections
        value={open.value}
        onValueChange={(tab) => {
          setSearch(tab === TABS[0].value ? {} : { tab }, { replace: true });
        }}
      >
        <Head>
          <PageTitle>{t('admin.title')}</PageTitle>
          <Row aria-label={t('admin.title')}>
            {TABS.map(({ value, icon }) => (
              <Tab key={value} value={value}>
                <Icon of={icon} size="sm" />
                {t(`admin.tabs.${value}`)}
              </Tab>
            ))}
          </Row>
        </Head>
        {TABS.map(({ value, Content }) => (
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
    min-inline-size: 0;
    inline-size: 100%;
    > button {
      padding-inline: 8px;
    }
  }
`;
