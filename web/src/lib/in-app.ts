import { useOnDevice } from './hooks.js';

/** Names that browsers inside other apps give themselves. Those of Android also say that they are one. */
const IN_APP =
  /Instagram|\bFB(AN|AV|_IAB)\b|Snapchat|musical_ly|trill_|Bytedance|TikTok|WhatsApp|Twitter for |TwitterAndroid|; wv\)/;

/** True in a browser inside another app. It chooses the advice: what such a browser can do, it is asked itself. */
export const isInApp = (): boolean => IN_APP.test(navigator.userAgent);

/** The same for pages that the server renders, which it does as for any other browser. */
export const useIsInApp = (): boolean => useOnDevice(isInApp, false);

/** Opens this page in the browser of the system. Null where apps have no such links, as on iOS. */
export function systemBrowserLink(): string | null {
  if (!navigator.userAgent.includes('Android')) return null;
  const { protocol, host, pathname, search } = window.location;
  const intent = `scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE`;
  return `intent://${host}${pathname}${search}#Intent;${intent};end`;
}
