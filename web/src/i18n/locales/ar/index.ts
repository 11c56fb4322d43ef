import { access } from './access.js';
import { admin } from './admin.js';
import { auth } from './auth.js';
import { chat } from './chat.js';
import { closed } from './closed.js';
import { common } from './common.js';
import { data } from './data.js';
import { guide } from './guide.js';
import { home } from './home.js';
import { messages } from './messages.js';
import { notFound } from './not-found.js';
import { notices } from './notices.js';
import { notifications } from './notifications.js';
import { outbox } from './outbox.js';
import { ownErrors } from './own-errors.js';
import { player } from './player.js';
import { profile } from './profile.js';
import { privacy } from './privacy.js';
import { publicPage } from './public-page.js';
import { receiving } from './receiving.js';
import { recorder } from './recorder.js';
import { report } from './report.js';
import { settings } from './settings.js';
import { site } from './site.js';
import { wayBack } from './way-back.js';

export const ar = {
  access,
  admin,
  auth,
  chat,
  closed,
  common,
  data,
  guide,
  home,
  messages,
  notFound,
  notices,
  notifications,
  outbox,
  ownErrors,
  player,
  privacy,
  profile,
  publicPage,
  receiving,
  recorder,
  report,
  settings,
  site,
  wayBack,
};
