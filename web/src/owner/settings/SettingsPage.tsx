import { Bell, Calendar, Eye, FileArchive, Inbox, KeyRound, MessageCircle, UserRound } from 'lucide-react';
import { Suspense, useState, type ComponentType } from 'react';
import { styled } from 'styled-components';
import { useNavigation } from '../../ui/navigation.js';
import { Chip, ChipGroup, Container, Icon, PageLoading, Stack } from '../../ui/index.js';
import { useDocumentTitle, useFormats, useTexts, useTranslation } from '../../i18n/index.js';
import { small, textSize } from '../../theme/index.js';
import { useCurrentUser, type User } from '../../shared/session/index.js';
import { AccessSettings } from './AccessSettings.js';
import { EmailForm } from './EmailForm.js';
import { ProfileForm } from './ProfileForm.js';
import { SettingsNav } from './SettingsNav.js';
import { SettingsSection } from './SettingsSection.js';
import { device } from '../../lib/storage.js';
import { lazyPart } from '../../lib/on-demand.js';

const LazyReceiving = lazyPart(async () => (await import('./ReceivingSettings.js')).ReceivingSettings);

function ReceivingSection() {
  useTexts(['receiving']);
  return <LazyReceiving />;
}

const LazyPrompts = lazyPart(async () => (await import('./PromptSettings.js')).PromptSettings);

function PromptSection({ user }: { user: User }) {
  useTexts(['receiving']);
  return <LazyPrompts user={user} />;
}

const LazyNotices = lazyPart(async () => (await import('./NoticeSettings.js')).NoticeSettings);

function NoticeSection() {
  useTexts(['notices']);
  return <LazyNotices />;
}

const LazyData = lazyPart(async () => (await import('./DataSettings.js')).DataSettings);

function DataSection({ user }: { user: User }) {
  useTexts(['data', 'access']);
  return <LazyData user={user} />;
}

const SECTIONS = [
  { path: '/settings', name: 'profile', icon: UserRound, Content: ProfileSettings },
  { path: '/settings/receiving', name: 'receiving', icon: Inbox, Content: ReceivingSection },
  { path: '/settings/questions', name: 'questions', icon: MessageCircle, Content: PromptSection },
  { path: '/settings/access', name: 'access', icon: KeyRound, Content: AccessSettings },
  { path: '/settings/notices', name: 'notices', icon: Bell, Content: NoticeSection },
  { path: '/settings/data', name: 'data', icon: FileArchive, Content: DataSection },
] as const;

export function SettingsPage() {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  const { pathname } = useNavigation();
  useDocumentTitle(t('settings.title'));
  if (user === null) return <PageLoading />;
  const { Content } = SECTIONS.find(({ path }) => path === pathname) ?? SECTIONS[0];
  const Section: ComponentType<{ user: User }> = Content;
  return (
    <Container>
      <Title>{t('settings.title')}</Title>
      <Columns>
        <SettingsNav
          label={t('settings.sections.label')}
          sections={SECTIONS.filter(({ name }) => user.deletesAt === null || name === 'data').map(
            ({ path, name, icon }) => ({ path, icon, label: t(`settings.sections.${name}`) }),
          )}
        />
        {/* Discards another account's unsaved input. */}
        <Stack key={user.id} $gap={20}>
          <Suspense fallback={<PageLoading />}>
            <Section user={user} />
          </Suspense>
        </Stack>
      </Columns>
    </Container>
  );
}

function ProfileSettings({ user }: { user: User }) {
  return (
    <>
      <ProfileForm user={user} />
      <EmailForm user={user} />
      <DigitsChoice />
      <AccountFacts user={user} />
    </>
  );
}

/** Arabic only. files.css has the digits. */
function DigitsChoice() {
  const { t, language } = useTranslation();
  const [digits, setDigits] = useState(device.read('digits') ?? 'arabic');
  if (language !== 'ar') return null;
  return (
    <SettingsSection title={t('settings.digits.title')} text={t('settings.digits.text')}>
      <ChipGroup
        type="single"
        value={digits}
        aria-label={t('settings.digits.title')}
        onValueChange={(next) => {
          if (next === '') return;
          setDigits(next);
          device.write('digits', next);
          document.documentElement.dataset['digits'] = next;
        }}
      >
        <Chip value="arabic" style={{ fontFamily: 'Najwa Digits' }}>
          ١٢٣
        </Chip>
        <Chip value="western">123</Chip>
      </ChipGroup>
    </SettingsSection>
  );
}

function AccountFacts({ user }: { user: User }) {
  const { t } = useTranslation();
  const { date } = useFormats();
  return (
    <FactsLine>
      <span>
        <Icon of={Eye} size="sm" />
        {t('settings.visits', { count: user.visitorCount })}
      </span>
      <span>
        <Icon of={Calendar} size="sm" />
        {t('common.person.joined', { date: date(user.createdAt) })}
      </span>
    </FactsLine>
  );
}

const Title = styled.h1`
  ${textSize('36px', '32px')}
  font-weight: 900;
  margin-block: 20px 24px;
  ${({ theme }) => theme.media.phone} {
    margin-block: 4px 8px;
  }
  :lang(en) & {
    font-weight: 800;
    letter-spacing: -0.022em;
  }
`;

const Columns = styled.div`
  display: grid;
  grid-template-columns: 248px minmax(0, 1fr);
  gap: 28px;
  align-items: start;
  ${({ theme }) => theme.media.stacked} {
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
`;

const FactsLine = styled.p`
  display: flex;
  flex-wrap: wrap;
  gap: 12px 28px;
  padding-inline: 8px;
  color: var(--ink-3);
  ${small}
  span {
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }
`;
