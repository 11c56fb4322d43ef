import { admin } from './admin.js';
import { auth } from './auth.js';
import { chat } from './chat.js';
import { common } from './common.js';
import { home } from './home.js';
import { messages } from './messages.js';
import { player } from './player.js';
import { profile } from './profile.js';
import { publicPage } from './public-page.js';
import { recorder } from './recorder.js';
import { settings } from './settings.js';

export const ar = { admin, auth, chat, common, home, messages, player, profile, publicPage, recorder, settings };
