import { Calendar, Eye } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { Container, Icon, PageLoading, Stack } from '../../components/index.js';
import { useDocumentTitle, useFormats } from '../../i18n/index.js';
import { small, textSize } from '../../theme/index.js';
import { useCurrentUser, type User } from '../session/index.js';
import { EmailForm } from './EmailForm.js';
import { PasswordForm } from './PasswordForm.js';
import { ProfileForm } from './ProfileForm.js';
import { SessionList } from './SessionList.js';

export function SettingsPage() {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  useDocumentTitle(t('settings.title'));
  if (user === null) return <PageLoading />;
  return (
    <Container>
      <Title>{t('settings.title')}</Title>
      {/* The key discards unsaved input of another account. */}
      <Stack key={user.id} $gap={20}>
        <ProfileForm user={user} />
        <EmailForm user={user} />
        <PasswordForm user={user} />
        <SessionList />
        <AccountFacts user={user} />
      </Stack>
    </Container>
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
  :lang(en) & {
    font-weight: 800;
    letter-spacing: -0.022em;
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
