import { memo, Suspense, useState } from 'react';
import { styled } from 'styled-components';
import { Container, Optional, optionalPart, Stack, TwoColumns } from '../../ui/index.js';
import { useDepartures } from '../../lib/hooks.js';
import { Composer } from './Composer.js';
import { lazyPart } from '../../lib/on-demand.js';
import type { FirstMessages, PublicProfile, Unsent } from './types.js';

/** Rare, so loaded on demand. */
export const MissingPage = lazyPart(async () => (await import('./MissingPage.js')).MissingPage);

const PremiumProfile = lazyPart(async () => (await import('./late.js')).PremiumProfile);
const ProfileCard = lazyPart(async () => (await import('./late.js')).ProfileCard);
const Bio = optionalPart(async () => (await import('./late.js')).BioCard);
const PublicMessages = optionalPart(async () => (await import('./late.js')).PublicMessages);

/** Most pages are open to everyone. */
const Gate = lazyPart(async () => (await import('./Closed.js')).Gate);

const Profile = memo(function Profile({
  profile,
  published,
}: {
  profile: PublicProfile;
  published: number | undefined;
}) {
  const Card = profile.isAdmin && profile.isVerified ? PremiumProfile : ProfileCard;
  return (
    <Optional>
      <Card profile={profile} published={published} />
    </Optional>
  );
});

export interface PageProps {
  profile: PublicProfile;
  asked?: number | undefined;
  unsent?: Unsent | undefined;
  total: number | undefined;
  first?: FirstMessages;
}

export function OwnerPage({ profile, total, first, asked, unsent }: PageProps) {
  const premium = profile.isAdmin && profile.isVerified;
  // A shown composer stays: pausing the page must not discard its text.
  const [isGated] = useState(profile.receiving.from !== 'everyone' && unsent === undefined);
  const departures = useDepartures();
  const composer = (
    <Composer key={departures} recipient={profile} asked={asked} unsent={departures === 0 ? unsent : undefined} />
  );
  return (
    <>
      {/* Counts the visit. Of low priority, since React preloads other pictures. */}
      <img src={`/m/${profile.username}/seen`} alt="" fetchPriority="low" hidden />
      {premium && (
        <Container data-writing="identity">
          <Profile profile={profile} published={total} />
        </Container>
      )}
      <Container>
        <Columns $after={premium}>
          <Aside as="aside" data-writing="identity" $premium={premium}>
            {!premium && <Profile profile={profile} published={total} />}
            {profile.bio !== '' && <Bio bio={profile.bio} />}
          </Aside>
          <Stack $gap={24}>
            {isGated ? (
              <Suspense fallback={null}>
                <Gate key={departures} owner={profile}>
                  {composer}
                </Gate>
              </Suspense>
            ) : (
              composer
            )}
            <PublicMessages owner={profile} first={first} />
          </Stack>
        </Columns>
      </Container>
    </>
  );
}

const Columns = styled(TwoColumns)<{ $after: boolean }>`
  padding-block-start: ${({ $after }) => ($after ? '28px' : '24px')};
  ${({ theme }) => theme.media.stacked} {
    padding-block-start: ${({ $after }) => ($after ? '4px' : 0)};
    gap: 9px;
  }
`;

const Aside = styled(Stack)<{ $premium: boolean }>`
  ${({ theme }) => theme.media.stacked} {
    gap: 0;
    && {
      position: relative;
      inset-block-start: auto;
    }
  }
  ${({ theme }) => theme.media.phone} {
    ${({ $premium }) => $premium && 'display: none;'}
  }
`;
