import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Card, CardTitle, UserText, Handle } from '../../ui/index.js';
import { textSize } from '../../theme/index.js';
import type { User } from '../../shared/session/index.js';

export function InfoCard({ user }: { user: User }) {
  const { t } = useTranslation();
  return (
    <Card aria-labelledby="info-title">
      <CardTitle id="info-title">{t('profile.info.title')}</CardTitle>
      <Details user={user} />
    </Card>
  );
}

export function Details({ user }: { user: User }) {
  const { t } = useTranslation();
  const missing = <Missing>{t('profile.info.unavailable')}</Missing>;
  return (
    <Rows>
      <div>
        <dt>{t('profile.info.name')}</dt>
        <dd>
          <UserText>{user.name}</UserText>
        </dd>
      </div>
      <div>
        <dt>{t('profile.info.username')}</dt>
        <dd>
          <Handle username={user.username} />
        </dd>
      </div>
      <div>
        <dt>{t('profile.info.email')}</dt>
        <dd>{user.email === null || user.email === '' ? missing : <Email address={user.email} />}</dd>
      </div>
      <div>
        <dt>{t('profile.info.bio')}</dt>
        <dd>{user.bio === '' ? missing : <UserText>{user.bio}</UserText>}</dd>
      </div>
    </Rows>
  );
}

/** Allows a break before the @. */
function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  return (
    <bdi dir="ltr">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </bdi>
  );
}

const Rows = styled.dl`
  display: grid;
  margin-block-start: 8px;
  div {
    display: grid;
    grid-template-columns: 104px 1fr;
    gap: 12px;
    padding-block: 9px;
    border-block-start: 1px solid var(--line);
  }
  div:first-child {
    border: 0;
  }
  dt {
    color: var(--ink-3);
    ${textSize('15.5px', '14.5px')}
  }
  dd {
    overflow-wrap: anywhere;
    ${textSize('18px', '14.5px')}
  }
`;

const Missing = styled.span`
  color: var(--ink-3);
`;
