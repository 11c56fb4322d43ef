import { Clock, EyeOff, Shield } from 'lucide-react';
import { cookieNameOf, COOKIES } from '@najwa/proto/http/client';
import type { ComponentType } from 'react';
import { styled } from 'styled-components';
import { Icon } from '../../ui/index.js';
import { type TextKey, useTranslation } from '../../i18n/index.js';
import { semibold, textSize } from '../../theme/index.js';
import { FactTable } from './FactTable.js';
import { useFacts } from './facts.js';
import { InfoPage } from './InfoPage.js';
import { Prose } from './Prose.js';
import { type InfoPageName, infoTexts } from '../../lib/info-pages.js';
import { site } from '../../lib/site.js';

/** In the order of their texts. */
const SECTIONS: Record<InfoPageName, readonly string[]> = {
  about: ['name', 'how', 'promise', 'people'],
  terms: ['service', 'account', 'rules', 'consequences', 'content', 'service2', 'changes'],
  faq: ['name', 'who', 'reply', 'lost', 'delete', 'password', 'voice', 'size', 'private', 'leave', 'trouble'],
  help: ['send', 'sent', 'receive', 'publish', 'protect', 'safe', 'broken'],
  contact: ['message', 'account', 'question', 'team'],
  privacy: ['owner', 'admin', 'device', 'others', 'you', 'promise'],
  cookies: ['stored', 'without'],
};

/** Keys of texts that TRACKING changes, and the ending of those. */
const OWN_TEXTS: Record<typeof site.tracking, { end: string; keys: readonly string[] }> = {
  full: { end: '', keys: [] },
  coarse: { end: 'Coarse', keys: ['privacy.privacy.kept.sending'] },
  off: {
    end: 'Off',
    keys: [
      'guide.faq.name.text',
      'privacy.privacy.admin.text',
      'privacy.privacy.promise.text',
      'privacy.privacy.brief.adminText',
      'privacy.privacy.brief.goesText',
      'privacy.privacy.kept.sending',
      'privacy.privacy.kept.sendingLong',
      'privacy.privacy.kept.sendingWho',
      'privacy.privacy.kept.session',
      'privacy.privacy.kept.chatLong',
    ],
  },
};

function useTexts(): (key: string) => string {
  const { t } = useTranslation();
  const facts = useFacts();
  const { end, keys } = OWN_TEXTS[site.tracking];
  return (key) => t((keys.includes(key) ? `${key}${end}` : key) as TextKey, facts);
}

/** TypeScript cannot relate each page to its own sections: a test looks for keys without a text. */
function useSections(page: InfoPageName) {
  const text = useTexts();
  return SECTIONS[page].map((id) => ({
    id,
    title: text(`${infoTexts(page)}.${id}.title`),
    content: <Prose text={text(`${infoTexts(page)}.${id}.text`)} />,
  }));
}

const textPage = (page: InfoPageName) =>
  function TextPage() {
    const { t } = useTranslation();
    const sections = useSections(page);
    return <InfoPage title={t(`${infoTexts(page)}.title`)} text={t(`${infoTexts(page)}.text`)} sections={sections} />;
  };

function ContactPage() {
  const { t } = useTranslation();
  const sections = useSections('contact').map((section) =>
    section.id === 'team' && site.contact !== ''
      ? { ...section, content: <Prose text={t('guide.contact.team.address', { contact: site.contact })} /> }
      : section,
  );
  return <InfoPage title={t('guide.contact.title')} text={t('guide.contact.text')} sections={sections} />;
}

const KEPT = [
  'message',
  'prompt',
  'sending',
  'mark',
  'aside',
  'notification',
  'push',
  'report',
  'voice',
  'preview',
  'upload',
  'account',
  'secrets',
  'export',
  'leaving',
  'name',
  'session',
  'chat',
  'presence',
  'visits',
] as const;

const BRIEF = [
  { name: 'owner', icon: EyeOff },
  { name: 'admin', icon: Shield },
  { name: 'goes', icon: Clock },
] as const;

function PrivacyPage() {
  const { t } = useTranslation();
  const text = useTexts();
  const kept = {
    id: 'kept',
    title: t('privacy.privacy.kept.title'),
    content: (
      <FactTable
        columns={[t('site.info.keptFor.what'), t('site.info.keptFor.long'), t('site.info.keptFor.who')]}
        rows={KEPT.map((name) => [
          text(`privacy.privacy.kept.${name}`),
          text(`privacy.privacy.kept.${name}Long`),
          text(`privacy.privacy.kept.${name}Who`),
        ])}
      />
    ),
  };
  const sections = useSections('privacy');
  const summary = (
    <Brief>
      {BRIEF.map(({ name, icon }) => (
        <li key={name}>
          <Icon of={icon} />
          <b>{text(`privacy.privacy.brief.${name}`)}</b>
          <span>{text(`privacy.privacy.brief.${name}Text`)}</span>
        </li>
      ))}
    </Brief>
  );
  return (
    <InfoPage
      title={t('privacy.privacy.title')}
      text={t('privacy.privacy.text')}
      summary={summary}
      sections={[kept, ...sections]}
    />
  );
}

function CookiesPage() {
  const { t } = useTranslation();
  const facts = useFacts();
  const longs = {
    session: t('privacy.cookies.set.sessionLong', facts),
    visitor: facts.visitorCookie,
    language: facts.languageCookie,
  };
  const set = {
    id: 'set',
    title: t('privacy.cookies.set.title'),
    content: (
      <FactTable
        columns={[
          t('privacy.cookies.set.column.name'),
          t('privacy.cookies.set.column.purpose'),
          t('privacy.cookies.set.column.long'),
        ]}
        rows={(['session', 'visitor', 'language'] as const).map((cookie) => [
          cookie === 'language' ? COOKIES[cookie].name : cookieNameOf(cookie, true),
          t(`privacy.cookies.set.${cookie}`),
          longs[cookie],
        ])}
      />
    ),
  };
  const sections = useSections('cookies');
  return <InfoPage title={t('privacy.cookies.title')} text={t('privacy.cookies.text')} sections={[set, ...sections]} />;
}

export const infoPages: Record<InfoPageName, ComponentType> = {
  about: textPage('about'),
  faq: textPage('faq'),
  help: textPage('help'),
  terms: textPage('terms'),
  privacy: PrivacyPage,
  cookies: CookiesPage,
  contact: ContactPage,
};

const Brief = styled.ul`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 16px;
  li {
    display: grid;
    gap: 6px;
    align-content: start;
    padding: 20px;
    background: var(--surface);
    border: 1px solid var(--line);
    ${({ theme }) => theme.bubble.card}
  }
  svg {
    color: var(--violet-text);
    margin-block-end: 4px;
  }
  b {
    ${semibold}
    line-height: 1.5;
  }
  span {
    color: var(--ink-2);
    ${textSize('16.5px', '14.5px')}
    line-height: 1.65;
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`;
