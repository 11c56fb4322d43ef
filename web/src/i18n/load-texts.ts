import type { Language } from './languages.js';
import type { LoadTexts } from './create-i18n.js';
import type { Namespace, TextTree } from './translate.js';

type Loaders = { [Name in Namespace]: () => Promise<Record<Name, TextTree>> };

const loaders: Record<Language, Loaders> = {
  ar: {
    access: () => import('./locales/ar/access.js'),
    admin: () => import('./locales/ar/admin.js'),
    auth: () => import('./locales/ar/auth.js'),
    chat: () => import('./locales/ar/chat.js'),
    closed: () => import('./locales/ar/closed.js'),
    common: () => import('./locales/ar/common.js'),
    data: () => import('./locales/ar/data.js'),
    guide: () => import('./locales/ar/guide.js'),
    home: () => import('./locales/ar/home.js'),
    messages: () => import('./locales/ar/messages.js'),
    notFound: () => import('./locales/ar/not-found.js'),
    notices: () => import('./locales/ar/notices.js'),
    notifications: () => import('./locales/ar/notifications.js'),
    outbox: () => import('./locales/ar/outbox.js'),
    ownErrors: () => import('./locales/ar/own-errors.js'),
    player: () => import('./locales/ar/player.js'),
    privacy: () => import('./locales/ar/privacy.js'),
    profile: () => import('./locales/ar/profile.js'),
    publicPage: () => import('./locales/ar/public-page.js'),
    receiving: () => import('./locales/ar/receiving.js'),
    recorder: () => import('./locales/ar/recorder.js'),
    report: () => import('./locales/ar/report.js'),
    settings: () => import('./locales/ar/settings.js'),
    site: () => import('./locales/ar/site.js'),
    wayBack: () => import('./locales/ar/way-back.js'),
  },
  en: {
    access: () => import('./locales/en/access.js'),
    admin: () => import('./locales/en/admin.js'),
    auth: () => import('./locales/en/auth.js'),
    chat: () => import('./locales/en/chat.js'),
    closed: () => import('./locales/en/closed.js'),
    common: () => import('./locales/en/common.js'),
    data: () => import('./locales/en/data.js'),
    guide: () => import('./locales/en/guide.js'),
    home: () => import('./locales/en/home.js'),
    messages: () => import('./locales/en/messages.js'),
    notFound: () => import('./locales/en/not-found.js'),
    notices: () => import('./locales/en/notices.js'),
    notifications: () => import('./locales/en/notifications.js'),
    outbox: () => import('./locales/en/outbox.js'),
    ownErrors: () => import('./locales/en/own-errors.js'),
    player: () => import('./locales/en/player.js'),
    privacy: () => import('./locales/en/privacy.js'),
    profile: () => import('./locales/en/profile.js'),
    publicPage: () => import('./locales/en/public-page.js'),
    receiving: () => import('./locales/en/receiving.js'),
    recorder: () => import('./locales/en/recorder.js'),
    report: () => import('./locales/en/report.js'),
    settings: () => import('./locales/en/settings.js'),
    site: () => import('./locales/en/site.js'),
    wayBack: () => import('./locales/en/way-back.js'),
  },
};

export const loadTexts: LoadTexts = async (language, namespace) => {
  const file: Partial<Record<Namespace, TextTree>> = await loaders[language][namespace]();
  const { [namespace]: texts } = file;
  if (texts === undefined) throw new Error(`The file of ${namespace} holds something else.`);
  return texts;
};
