// The first script of every page, written into it (first-script.js): a file would cost the first paint a round trip.
// It does what a page that is the same for everyone cannot know.
{
  const { document, location, performance, PerformanceObserver, URL } = globalThis;
  const { documentElement } = document;
  const { type: wayHere } = performance.getEntriesByType('navigation')[0] ?? {};
  documentElement.style.setProperty('--host', JSON.stringify(location.host));

  // Without it no script could be added, not even the client's own. It takes addresses of the build alone, and no text.
  globalThis.trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => {
      const { origin, pathname } = new URL(address, location.href);
      return origin === location.origin && /^\/(assets\/[\w.-]+\.js|sw\.js)$/.test(pathname) ? address : null;
    },
  });

  let isSignedIn = false;
  try {
    // Where site data are blocked, reading the property throws.
    const { localStorage } = globalThis;
    const language = localStorage.getItem('language');
    isSignedIn = localStorage.getItem('signed-in') !== null;

    // The server chooses the language by a cookie. A reader whose choice is only in local storage gets the cookie, and the
    // page once more. So does one who goes back to a page in the other language, which the browser has kept.
    if ((language === 'ar' || language === 'en') && language !== documentElement.lang) {
      const cookie = `language=${language}`;
      const hasCookie = () => document.cookie.split('; ').includes(cookie);
      const isOld = !hasCookie() || wayHere === 'back_forward';
      document.cookie = `${cookie}; Path=/; Max-Age=31536000; SameSite=Lax`;
      if (isOld && hasCookie()) location.reload();
    }
  } catch {
    // The page works without what is kept.
  }

  // Other scripts would compete with what the first paint needs. Where nothing is rendered they are needed for it.
  document.addEventListener('DOMContentLoaded', () => {
    const list = document.getElementById('scripts');
    if (list === null) return;
    let isLoading = false;
    const load = () => {
      if (isLoading) return;
      isLoading = true;
      const { run, load: imported } = JSON.parse(list.textContent);
      // One after the other, and in a task each: together they would hold a slow phone for too long.
      for (const file of run) {
        const script = { type: 'module', crossOrigin: '', async: false, src: `/${file}` };
        document.head.append(Object.assign(document.createElement('script'), script));
      }
      // So would the hints at what these import.
      const hint = () => {
        for (const file of imported.splice(0, 4)) {
          const link = { rel: 'modulepreload', crossOrigin: '', href: `/${file}` };
          document.head.append(Object.assign(document.createElement('link'), link));
        }
        if (imported.length > 0) setTimeout(hint);
      };
      setTimeout(hint);
    };
    if (document.getElementById('root').childElementCount === 0) load();
    else {
      new PerformanceObserver(load).observe({ type: 'paint', buffered: true });
      // A page in a tab that nobody looks at is not painted.
      setTimeout(load, 500);
    }
  });

  // Without its scripts a page is dead, so it is loaded once more. If that fails as well, the page says so, and goes on once
  // the device is online. What somebody has typed would be lost with it.
  const isEmpty = () =>
    [...document.querySelectorAll('input, textarea')].every(({ value, defaultValue }) => value === defaultValue);
  const isDead = () => document.querySelector('#root:empty, #root[data-rendered]') !== null;
  const handleFailure = ({ target }) => {
    const isScript = target instanceof globalThis.HTMLScriptElement;
    // Browsers inside other apps add scripts of their own, which the content security policy refuses.
    if (isScript && !target.src.startsWith(location.origin)) return;
    // A picture may be missing. What runs deals with its own failures.
    if (!isScript && (target !== globalThis || !isDead())) return;
    if (isScript && wayHere !== 'reload' && isEmpty()) {
      location.reload();
      return;
    }
    globalThis.addEventListener('online', () => {
      if (isEmpty()) location.reload();
    });
    // A form that the server takes goes on working.
    documentElement.dataset.plain = '';
    if (document.querySelector('form[action]') !== null) return;
    const notice = document.getElementById('stalled');
    if (!notice?.hidden) return;
    const { text, reload } = notice.dataset;
    notice.append(text, ' ', Object.assign(document.createElement('a'), { href: '', textContent: reload }));
    notice.hidden = false;
  };
  for (const type of ['error', 'unhandledrejection']) globalThis.addEventListener(type, handleFailure, true);

  // A page shows before its scripts run. What is pressed meanwhile is kept for them. A browser that sends a form by
  // itself would write a password into the address.
  const pressed = new Set();
  const keep = (event) => {
    const { type, target } = event;
    // The server takes this one as it is. Pressed again it goes the same way, or the scripts would send it as another one.
    if (type === 'submit' && target.hasAttribute('action')) {
      target.dataset.sent = '';
      return;
    }
    if (type === 'submit') event.preventDefault();
    const control = type === 'submit' ? target : target.closest('button:not([type="submit"])');
    if (control !== null) pressed.add(control);
  };
  for (const type of ['click', 'submit']) globalThis.addEventListener(type, keep, true);
  globalThis.takePressed = () => {
    for (const type of ['click', 'submit']) globalThis.removeEventListener(type, keep, true);
    return [...pressed];
  };

  // A notice for visitors only should not show first to people who are signed in.
  if (isSignedIn) documentElement.dataset.signedIn = '';

  // The home page sends people who are signed in to their own page, so it should not show first.
  if (isSignedIn && location.pathname === '/') documentElement.dataset.waiting = '';
}
