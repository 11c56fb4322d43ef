/// <reference lib="webworker" />
declare const self: ServiceWorkerGlobalScope;

/** Routes that the browser decides on without the worker. Only some know it. */
interface RoutingEvent extends ExtendableEvent {
  addRoutes?: (routes: object[]) => Promise<void>;
}

/** Pages that people keep open, and reload on the way. No other page, and no file, passes through the worker. */
const PATHS = ['/profile', '/r/*'];
const isKeptOpen = (path: string): boolean => /^\/(profile$|r\/)/.test(path);

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'Referrer-Policy': 'no-referrer',
};

/** In both languages: a worker does not know which one was chosen. */
const PAGE = `<!doctype html>
<html lang="ar" dir="rtl">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>نجوى · Najwa</title>
<style>
body { max-width: 26rem; margin: 20vh auto 0; padding: 0 1.25rem; font: 1.125rem/1.7 system-ui, sans-serif; }
section { margin-block-end: 2.5rem; }
h1, h2 { margin: 0; font-size: 1.5rem; }
p { margin: 0.25rem 0 0.75rem; }
a { display: inline-block; padding: 0.6rem 0; color: inherit; font-weight: 700; }
</style>
<section>
<h1>لا اتصال بالإنترنت</h1>
<p>لم تصل نجوى إلى خادمها. ما كتبته محفوظ على هذا الجهاز.</p>
<a href="">حاول مرة أخرى</a>
</section>
<section lang="en" dir="ltr">
<h2>You are offline</h2>
<p>Najwa cannot reach its server. What you have written is kept on this device.</p>
<a href="">Try again</a>
</section>
</html>`;

/** Answers in place of the browser where a page cannot be reached. */
export function listenToPages(): void {
  self.addEventListener('install', (event: RoutingEvent) => {
    const routes = [
      ...PATHS.map((pathname) => ({ condition: { urlPattern: { pathname } }, source: 'fetch-event' })),
      { condition: { urlPattern: { pathname: '*' } }, source: 'network' },
    ];
    // Without them each request is offered to the worker, which leaves it alone.
    event.waitUntil(event.addRoutes?.(routes).catch(() => undefined) ?? Promise.resolve());
  });
  self.addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.mode !== 'navigate' || request.method !== 'GET' || !isKeptOpen(new URL(request.url).pathname)) return;
    // eslint-disable-next-line no-restricted-globals -- It passes on what the browser asks for.
    event.respondWith(fetch(request).catch(() => new Response(PAGE, { status: 503, headers: HEADERS })));
  });
}
