import { Languages, Menu } from 'lucide-react';
import { useRef } from 'react';
import { styled } from 'styled-components';
import { Icon, IconButtonBase, useToast } from '../../components/index.js';
import { otherLanguage, useLanguage, useTranslation } from '../../i18n/index.js';
import { useOpenOnDemand } from '../use-open-on-demand.js';
import type { PhoneMenuProps } from './PhoneMenu.js';

/** Switches the language, with a toast if its texts cannot be loaded. */
export function useLanguageToggle() {
  const { t } = useTranslation();
  const toast = useToast();
  const { language, toggle } = useLanguage();
  return {
    language,
    toggle: () => {
      // Without them the language shows in other fonts.
      import('./bring-fonts.js')
        .then(({ bringFonts }) => {
          bringFonts(otherLanguage(language));
        })
        .catch(() => undefined);
      toggle().catch(() => {
        toast({ variant: 'missing', title: t('common.error.offline') });
      });
    },
  };
}

/** The label is written in the language that it switches to. */
export function LanguageToggle() {
  const { t } = useTranslation();
  const { language, toggle } = useLanguageToggle();
  return (
    <ToggleButton type="button" lang={otherLanguage(language)} onClick={toggle} data-testid="language-toggle">
      <Icon of={Languages} />
      {t('common.header.otherLanguage')}
    </ToggleButton>
  );
}

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
    font-size: 14px;
  }
  &[lang='ar'] {
    font-family: ${({ theme }) => theme.font.arabic};
    font-size: 16px;
  }
  ${({ theme }) => theme.media.phone} {
    display: none;
  }
`;

const loadPhoneMenu = async () => (await import('./PhoneMenu.js')).PhoneMenu;

/** Opens the menu of phones, whose code is loaded on the first touch. */
export function PhoneMenuButton(props: Pick<PhoneMenuProps, 'user' | 'showsSignIn'>) {
  const { t } = useTranslation();
  const { Part: PhoneMenu, open, setOpen, button } = useOpenOnDemand(loadPhoneMenu);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <PhoneOnlyButton ref={opener} type="button" aria-label={t('common.header.menu')} {...button}>
        <Icon of={Menu} size="lg" />
      </PhoneOnlyButton>
      {PhoneMenu !== null && (
        <PhoneMenu {...props} open={open} onOpenChange={setOpen} onClosed={() => opener.current?.focus()} />
      )}
    </>
  );
}

const PhoneOnlyButton = styled(IconButtonBase)`
  display: none;
  ${({ theme }) => theme.media.phone} {
    display: inline-grid;
  }
`;
