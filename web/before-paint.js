// The first script of every page, inlined by first-script.js to save the first paint a round trip. Does what static
// pages cannot know.
{
  const { document, location, performance, PerformanceObserver, URL } = globalThis;
  const { documentElement } = document;
  const { type: wayHere } = performance.getEntriesByType('navigation')[0] ?? {};
  documentElement.style.setProperty('--host', JSON.stringify(location.host));

  // Without a policy no script could be added. This one takes only URLs of the build, and no text.
  globalThis.trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => {
      const { origin, pathname } = new URL(address, location.href);
      return origin === location.origin && /^\/(assets\/[\w.-]+\.js|sw\.js)$/.test(pathname) ? address : null;
    },
  });

  let isSignedIn = false;
  try {
    // Throws where site data is blocked.
    const { localStorage } = globalThis;
    const language = localStorage.getItem('language');
    documentElement.dataset.digits = localStorage.getItem('digits') ?? '';
    isSignedIn = localStorage.getItem('signed-in') !== null;

    // The server chooses the language by cookie. If only local storage has the choice, or Back restored a cached page
    // in the other language, set the cookie and reload.
    if ((language === 'ar' || language === 'en') && language !== documentElement.lang) {
      const cookie = `language=${language}`;
      const hasCookie = () => document.cookie.split('; ').includes(cookie);
      const isOld = !hasCookie() || wayHere === 'back_forward';
      document.cookie = `${cookie}; Path=/; Max-Age=31536000; SameSite=Lax`;
      if (isOld && hasCookie()) location.reload();
    }
  } catch {
    // Works without stored data.
  }

  // Other scripts would compete with the first paint. Unrendered pages need them for it.
  document.addEventListener('DOMContentLoaded', () => {
    const list = document.getElementById('scripts');
    if (list === null) return;
    let isLoading = false;
    const load = () => {
      if (isLoading) return;
      isLoading = true;
      const { run, load: imported } = JSON.parse(list.textContent);
      // One task each: together they would block a slow phone for too long.
      for (const file of run) {
        const script = { type: 'module', crossOrigin: '', async: false, src: `/${file}` };
        document.head.append(Object.assign(document.createElement('script'), script));
      }
      // So would preloads of their imports.
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
      // A hidden tab never paints.
      setTimeout(load, 500);
    }
  });

  // A page without scripts is dead, so reload once. If that fails, say so, and reload when the device is online. Typed
  // input must not be lost.
  const isEmpty = () =>
    [...document.querySelectorAll('input, textarea')].every(({ value, defaultValue }) => value === defaultValue);
  const isDead = () => document.querySelector('#root:empty, #root[data-rendered]') !== null;
  const handleFailure = ({ target }) => {
    const isScript = target instanceof globalThis.HTMLScriptElement;
    // In-app browsers inject scripts, which the content security policy refuses.
    if (isScript && !target.src.startsWith(location.origin)) return;
    // Missing pictures are harmless. Running scripts handle their own failures.
    if (!isScript && (target !== globalThis || !isDead())) return;
    if (isScript && wayHere !== 'reload' && isEmpty()) {
      location.reload();
      return;
    }
    globalThis.addEventListener('online', () => {
      if (isEmpty()) location.reload();
    });
    // A form that the server accepts still works.
    documentElement.dataset.plain = '';
    if (document.querySelector('form[action]') !== null) return;
    const notice = document.getElementById('stalled');
    if (!notice?.hidden) return;
    const { text, reload } = notice.dataset;
    notice.append(text, ' ', Object.assign(document.createElement('a'), { href: '', textContent: reload }));
    notice.hidden = false;
  };
  for (const type of ['error', 'unhandledrejection']) globalThis.addEventListener(type, handleFailure, true);

  // Keeps presses until the scripts run. Without them the browser would send a form itself, with the password in the
  // URL.
  const pressed = new Set();
  const keep = (event) => {
    const { type, target } = event;
    // The server accepts this form as it is. A second press goes the same way, or the scripts would send it again.
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

  // Hides notices for visitors from signed-in users.
  if (isSignedIn) documentElement.dataset.signedIn = '';

  // The home page redirects signed-in users, so it should not show first.
  if (isSignedIn && location.pathname === '/') documentElement.dataset.waiting = '';
}
