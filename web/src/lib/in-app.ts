import { useOnDevice } from './hooks.js';

/** Names of in-app browsers. Android's also identify as WebViews. */
const IN_APP =
  /Instagram|\bFB(AN|AV|_IAB)\b|Snapchat|musical_ly|trill_|Bytedance|TikTok|WhatsApp|Twitter for |TwitterAndroid|; wv\)/;

/** Only selects advice: abilities are tested directly. */
export const isInApp = (): boolean => IN_APP.test(navigator.userAgent);

export const useIsInApp = (): boolean => useOnDevice(isInApp, false);

/** Opens this page in the system's browser. Null where apps have no such links, as on iOS. */
export function systemBrowserLink(): string | null {
  if (!navigator.userAgent.includes('Android')) return null;
  const { protocol, host, pathname, search } = window.location;
  const intent = `scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE`;
  return `intent://${host}${pathname}${search}#Intent;${intent};end`;
}
