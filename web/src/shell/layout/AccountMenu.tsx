import { LogOut, Settings, Shield, UserRound } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Avatar, Handle, Icon, Menu, MenuItem, MenuPanel, MenuSeparator, MenuTrigger } from '../../ui/index.js';
import { useLogout, type User } from '../../shared/session/index.js';
import { Link } from '../../ui/navigation.js';
import { small } from '../../theme/index.js';

export function AccountMenu({ user }: { user: User }) {
  const { t } = useTranslation();
  const { logOut, isLoggingOut } = useLogout();
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <AvatarButton type="button" aria-label={t('common.header.accountMenu')}>
          <Avatar person={user} />
        </AvatarButton>
      </MenuTrigger>
      <MenuPanel align="end" sideOffset={6}>
        <AccountSummary user={user} />
        <MenuSeparator />
        <MenuItem asChild>
          <Link to="/profile">
            <Icon of={UserRound} />
            {t('common.header.profile')}
          </Link>
        </MenuItem>
        <MenuItem asChild>
          <Link to="/settings">
            <Icon of={Settings} />
            {t('common.header.settings')}
          </Link>
        </MenuItem>
        {(user.isAdmin || user.isModerator) && (
          <MenuItem asChild>
            <Link to="/admin">
              <Icon of={Shield} />
              {t('common.header.adminPanel')}
            </Link>
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem $danger disabled={isLoggingOut} onSelect={() => void logOut()}>
          <Icon of={LogOut} flip />
          {t('common.header.logOut')}
        </MenuItem>
      </MenuPanel>
    </Menu>
  );
}

export function AccountSummary({ user }: { user: User }) {
  return (
    <Summary>
      <Avatar person={user} />
      <div>
        <b dir="auto">{user.name}</b>
        <span>
          <Handle username={user.username} />
        </span>
      </div>
    </Summary>
  );
}

const AvatarButton = styled.button`
  border-radius: 50%;
  margin-inline-start: 6px;
  ${({ theme }) => theme.media.phone} {
    display: none;
  }
`;

const Summary = styled.div`
  display: flex;
  gap: 12px;
  align-items: center;
  padding: 8px 12px 12px;
  flex: 1;
  min-inline-size: 0;
  > div {
    min-inline-size: 0;
  }
  b {
    display: block;
    line-height: 1.4;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    text-align: start;
  }
  div > span {
    color: var(--ink-3);
    ${small}
  }
`;
