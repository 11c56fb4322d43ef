import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { styled } from 'styled-components';
import { isApiError } from '../../app/api-error.js';
import { useErrorText } from '../../app/use-error-text.js';
import { Button, ButtonLink, Container, NoticePage, PageLoading, Stack, TwoColumns } from '../../components/index.js';
import { useDocumentTitle } from '../../i18n/index.js';
import { isolate } from '../../lib/text.js';
import { type PublicProfile, useGetProfileQuery, useGetPublicMessagesInfiniteQuery } from './api.js';
import { Composer } from './Composer.js';
import { BioCard, PremiumProfile, ProfileCard } from './ProfileCard.js';
import { PublicMessages } from './PublicMessages.js';

export function PublicPage() {
  const { t } = useTranslation();
  const { username = '' } = useParams();
  const errors = useErrorText();
  const { currentData: profile, error, refetch } = useGetProfileQuery(username);
  const missing = isApiError(error) && error.status === 404;
  useDocumentTitle(missing ? t('publicPage.missing') : profile && isolate(profile.name));

  if (missing) {
    return (
      <NoticePage title={t('publicPage.missing')} text={t('publicPage.missingText')}>
        <ButtonLink to="/" variant="primary">
          {t('common.action.backHome')}
        </ButtonLink>
      </NoticePage>
    );
  }
  if (profile !== undefined) return <Page key={profile.id} profile={profile} />;
  if (error === undefined) return <PageLoading />;
  return (
    <NoticePage title={t('common.failure.page')} text={errors.text(error)}>
      <Button onClick={() => void refetch()}>{t('common.action.retry')}</Button>
    </NoticePage>
  );
}

function Page({ profile }: { profile: PublicProfile }) {
  const { data } = useGetPublicMessagesInfiniteQuery(profile.id);
  const total = data?.pages[0]?.total;
  const premium = profile.isAdmin && profile.isVerified;
  return (
    <>
      {premium && (
        <Container>
          <PremiumProfile profile={profile} published={total} />
        </Container>
      )}
      <Container>
        <Columns $after={premium}>
          <Aside as="aside">
            {!premium && <ProfileCard profile={profile} published={total} />}
            <BioCard bio={profile.bio} />
          </Aside>
          <Stack $gap={24}>
            <Composer recipient={profile} />
            <PublicMessages owner={profile} />
          </Stack>
        </Columns>
      </Container>
    </>
  );
}

const Columns = styled(TwoColumns)<{ $after: boolean }>`
  padding-block-start: ${({ $after }) => ($after ? '28px' : '24px')};
  ${({ theme }) => theme.media.phone} {
    padding-block-start: 8px;
  }
`;

const Aside = styled(Stack)`
  ${({ theme }) => theme.media.phone} {
    gap: 12px;
  }
`;
