import access from './access.json' with { type: 'json' };
import admin from './admin.json' with { type: 'json' };
import auth from './auth.json' with { type: 'json' };
import chat from './chat.json' with { type: 'json' };
import closed from './closed.json' with { type: 'json' };
import common from './common.json' with { type: 'json' };
import data from './data.json' with { type: 'json' };
import guide from './guide.json' with { type: 'json' };
import home from './home.json' with { type: 'json' };
import messages from './messages.json' with { type: 'json' };
import notFound from './notFound.json' with { type: 'json' };
import notices from './notices.json' with { type: 'json' };
import notifications from './notifications.json' with { type: 'json' };
import outbox from './outbox.json' with { type: 'json' };
import ownErrors from './ownErrors.json' with { type: 'json' };
import player from './player.json' with { type: 'json' };
import privacy from './privacy.json' with { type: 'json' };
import profile from './profile.json' with { type: 'json' };
import publicPage from './publicPage.json' with { type: 'json' };
import receiving from './receiving.json' with { type: 'json' };
import recorder from './recorder.json' with { type: 'json' };
import report from './report.json' with { type: 'json' };
import settings from './settings.json' with { type: 'json' };
import site from './site.json' with { type: 'json' };
import wayBack from './wayBack.json' with { type: 'json' };

export const en = {
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
