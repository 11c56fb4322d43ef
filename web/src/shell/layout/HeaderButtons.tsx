import { Languages, Menu } from 'lucide-react';
import { useRef } from 'react';
import { styled } from 'styled-components';
import { Icon, IconButtonBase } from '../../ui/index.js';
import { otherLanguage, useLanguage, useTranslation } from '../../i18n/index.js';
import { useHydrated } from '../../lib/hooks.js';
import { useOpenOnDemand } from '../../ui/use-open-on-demand.js';
import type { PhoneMenuProps } from './PhoneMenu.js';
import { useLanguageToggle } from './use-language-toggle.js';

export function LanguageToggle() {
  const { t } = useTranslation();
  const { language, toggle } = useLanguageToggle();
  const isHydrated = useHydrated();
  const other = otherLanguage(language);
  const label = (
    <>
      <Icon of={Languages} />
      {t('common.header.otherLanguage')}
    </>
  );
  return (
    <>
      <ToggleButton type="button" lang={other} onClick={toggle} data-testid="language-toggle" data-scripts>
        {label}
      </ToggleButton>
      {!isHydrated && (
        <span data-no-scripts>
          <ToggleButton as="a" href={languageLink(other)} rel="nofollow" lang={other} hrefLang={other}>
            {label}
          </ToggleButton>
        </span>
      )}
    </>
  );
}

/** The gateway switches the language of the current page. */
const languageLink = (language: string) => `?language=${language}`;

const ToggleButton = styled.button`
  display: inline-flex;
  gap: 8px;
  align-items: center;
  min-block-size: 44px;
  padding-inline: 12px;
  border-radius: 14px;
  color: var(--ink-2);
  font-weight: 500;
  &:hover {
    background: color-mix(in srgb, var(--ink) 6%, transparent);
  }
  &[lang='en'] {
    font-family: ${({ theme }) => theme.font.latin};
    font-size: 0.875rem;
  }
  &[lang='ar'] {
    font-family: ${({ theme }) => theme.font.arabic};
    font-size: 1rem;
  }
  ${({ theme }) => theme.media.phone} {
    display: none;
  }
`;

const loadPhoneMenu = async () => (await import('./PhoneMenu.js')).PhoneMenu;

export function PhoneMenuButton(props: Pick<PhoneMenuProps, 'user' | 'showsSignIn'>) {
  const { t } = useTranslation();
  const { Part: PhoneMenu, open, setOpen, button } = useOpenOnDemand(loadPhoneMenu);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <PhoneOnlyButton ref={opener} type="button" aria-label={t('common.header.menu')} data-scripts {...button}>
        <Icon of={Menu} size="lg" />
      </PhoneOnlyButton>
      {PhoneMenu !== null && (
        <PhoneMenu {...props} open={open} onOpenChange={setOpen} onClosed={() => opener.current?.focus()} />
      )}
    </>
  );
}

export function PlainPhoneMenu({ showsSignIn }: Pick<PhoneMenuProps, 'showsSignIn'>) {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const isHydrated = useHydrated();
  const other = otherLanguage(language);
  if (isHydrated) return null;
  return (
    <div data-no-scripts>
      <PlainMenu>
        <PhoneOnlyButton as="summary" aria-label={t('common.header.menu')}>
          <Icon of={Menu} size="lg" />
        </PhoneOnlyButton>
        <nav aria-label={t('common.header.menu')}>
          {showsSignIn && (
            <>
              <a href="/auth?tab=login">{t('common.header.signIn')}</a>
              <a href="/auth">{t('common.header.signUp')}</a>
            </>
          )}
          <a href={languageLink(other)} rel="nofollow" lang={other} hrefLang={other}>
            {t('common.header.otherLanguage')}
          </a>
        </nav>
      </PlainMenu>
    </div>
  );
}

const PlainMenu = styled.details`
  display: none;
  ${({ theme }) => theme.media.phone} {
    display: block;
  }
  > nav {
    position: absolute;
    inset-inline: 8px;
    inset-block-start: 100%;
    display: grid;
    padding: 8px;
    background: var(--raised);
    border: 1px solid var(--line);
    border-radius: 26px;
    border-end-start-radius: 8px;
    box-shadow: var(--shadow-3);
  }
  a {
    padding: 9px 12px;
    font-weight: 500;
  }
  a[lang='en'] {
    font-family: ${({ theme }) => theme.font.latin};
  }
  a[lang='ar'] {
    font-family: ${({ theme }) => theme.font.arabic};
  }
  > summary {
    list-style: none;
    &::-webkit-details-marker {
      display: none;
    }
  }
`;

const PhoneOnlyButton = styled(IconButtonBase)`
  display: none;
  ${({ theme }) => theme.media.phone} {
    display: inline-grid;
  }
`;
