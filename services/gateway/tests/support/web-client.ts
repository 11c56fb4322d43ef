import type { Upstream } from './upstream.js';

const SHELL =
  '<!doctype html><html lang="ar"><head><!--head--></head><body><div id="root"><!--body--></div></body></html>';

/** Stands for what the web client builds for the gateway. Renders the ids of messages. */
const BUILD = {
  version: 'one',
  shells: { ar: SHELL, en: SHELL.replace('"ar"', '"en"') },
  code: `exports.renderPublicPage = async ({ language, data: { profile, messages } }) => {
    if (profile?.name === 'broken') throw new Error('broken');
    const content = profile === null ? 'nobody' : messages.items.map(({ id }) => id).join();
    return { body: '<main>' + language + ':' + content + '</main>', styles: '<style>main{}</style>' };
  };`,
};

/** Lets an upstream answer as the web container does. Every page is "the plain client". */
export function answerAsWebClient(upstream: Pick<Upstream, 'answer'>): void {
  upstream.answer((request, response) => {
    response
      .setHeader('Content-Security-Policy', "default-src 'self'")
      .end(request.url === '/server/render.json' ? JSON.stringify(BUILD) : 'the plain client');
  });
}
