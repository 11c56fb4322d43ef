export { primeWayBack, type WayBackData, WayBackDataContext } from './api.js';
export { SentNotice, type SentNoticeProps } from './SentNotice.js';
export { SentHerePage } from './SentHerePage.js';
export { WayBackPage } from './WayBackPage.js';
