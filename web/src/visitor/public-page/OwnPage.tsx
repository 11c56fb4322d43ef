import { styled } from 'styled-components';
import { Button } from '../../ui/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';
import { useCopied } from '../../lib/hooks.js';

const TEXTS = ['profile'] as const;

/** Floats, so that nothing moves once the account is known. */
export function OwnPage() {
  useTexts(TEXTS);
  const { t } = useTranslation();
  const { copied, copy } = useCopied();
  const share = () => {
    const { href: url } = window.location;
    const system: Partial<Pick<Navigator, 'share'>> = navigator;
    // Closing the share sheet is not a failure.
    if (system.share === undefined) void copy(url);
    else system.share({ url }).catch(() => undefined);
  };
  return (
    <Own data-testid="own-page">
      {t('profile.own')}
      <Button size="sm" variant="soft" onClick={share}>
        <span role="status">{t(copied ? 'profile.link.copied' : 'profile.share')}</span>
      </Button>
    </Own>
  );
}

const Own = styled.p`
  position: fixed;
  inset-block-end: 20px;
  inset-inline: 0;
  margin-inline: auto;
  inline-size: fit-content;
  z-index: 2;
  display: flex;
  gap: 12px;
  align-items: center;
  padding-block: 6px;
  padding-inline: 18px 6px;
  ${({ theme }) => theme.bubble.large}
  background: var(--raised);
  box-shadow: var(--shadow-3);
  /* The keyboard is open. */
  @media (max-height: 480px) {
    display: none;
  }
`;
