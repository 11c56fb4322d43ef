import type { Language } from './languages.js';
import type { LoadTexts } from './create-i18n.js';
import type { Namespace, TextTree } from './translate.js';

type Loaders = Record<Namespace, () => Promise<{ default: TextTree }>>;

const loaders: Record<Language, Loaders> = {
  ar: {
    access: () => import('./locales/ar/access.json'),
    admin: () => import('./locales/ar/admin.json'),
    auth: () => import('./locales/ar/auth.json'),
    chat: () => import('./locales/ar/chat.json'),
    closed: () => import('./locales/ar/closed.json'),
    common: () => import('./locales/ar/common.json'),
    data: () => import('./locales/ar/data.json'),
    guide: () => import('./locales/ar/guide.json'),
    home: () => import('./locales/ar/home.json'),
    messages: () => import('./locales/ar/messages.json'),
    notFound: () => import('./locales/ar/notFound.json'),
    notices: () => import('./locales/ar/notices.json'),
    notifications: () => import('./locales/ar/notifications.json'),
    outbox: () => import('./locales/ar/outbox.json'),
    ownErrors: () => import('./locales/ar/ownErrors.json'),
    player: () => import('./locales/ar/player.json'),
    privacy: () => import('./locales/ar/privacy.json'),
    profile: () => import('./locales/ar/profile.json'),
    publicPage: () => import('./locales/ar/publicPage.json'),
    receiving: () => import('./locales/ar/receiving.json'),
    recorder: () => import('./locales/ar/recorder.json'),
    report: () => import('./locales/ar/report.json'),
    settings: () => import('./locales/ar/settings.json'),
    site: () => import('./locales/ar/site.json'),
    wayBack: () => import('./locales/ar/wayBack.json'),
  },
  en: {
    access: () => import('./locales/en/access.json'),
    admin: () => import('./locales/en/admin.json'),
    auth: () => import('./locales/en/auth.json'),
    chat: () => import('./locales/en/chat.json'),
    closed: () => import('./locales/en/closed.json'),
    common: () => import('./locales/en/common.json'),
    data: () => import('./locales/en/data.json'),
    guide: () => import('./locales/en/guide.json'),
    home: () => import('./locales/en/home.json'),
    messages: () => import('./locales/en/messages.json'),
    notFound: () => import('./locales/en/notFound.json'),
    notices: () => import('./locales/en/notices.json'),
    notifications: () => import('./locales/en/notifications.json'),
    outbox: () => import('./locales/en/outbox.json'),
    ownErrors: () => import('./locales/en/ownErrors.json'),
    player: () => import('./locales/en/player.json'),
    privacy: () => import('./locales/en/privacy.json'),
    profile: () => import('./locales/en/profile.json'),
    publicPage: () => import('./locales/en/publicPage.json'),
    receiving: () => import('./locales/en/receiving.json'),
    recorder: () => import('./locales/en/recorder.json'),
    report: () => import('./locales/en/report.json'),
    settings: () => import('./locales/en/settings.json'),
    site: () => import('./locales/en/site.json'),
    wayBack: () => import('./locales/en/wayBack.json'),
  },
};

export const loadTexts: LoadTexts = async (language, namespace) => (await loaders[language][namespace]()).default;
