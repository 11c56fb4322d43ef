import { Languages } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { Icon } from '../../components/index.js';
import { otherLanguage, useLanguage } from '../../i18n/index.js';

/** The label is written in the language that it switches to. */
export function LanguageToggle() {
  const { t } = useTranslation();
  const { language, toggle } = useLanguage();
  return (
    <Toggle type="button" lang={otherLanguage(language)} onClick={toggle} data-testid="language-toggle">
      <Icon of={Languages} />
      {t('common.header.otherLanguage')}
    </Toggle>
  );
}

const Toggle = styled.button`
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
