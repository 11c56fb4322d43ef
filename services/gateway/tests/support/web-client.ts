import { eventually } from '@najwa/testing';
import { expect } from '@jest/globals';
import type { GatewayBed } from './bed.js';
import type { Upstream } from './upstream.js';

const SHELL =
  '<!doctype html><html lang="ar"><head><!--head--><style>/*' +
  'a'.repeat(1_500) +
  '*/</style></head><body><!--unrendered <noscript>not complete</noscript>--><div id="root"><!--body--></div></body></html>';

/** Stands in for the client's build. Renders message ids. */
const BUILD = {
  version: 'one',
  shells: { ar: SHELL, en: SHELL.replace('"ar"', '"en"') },
  secretShells: { ar: SHELL, en: SHELL.replace('"ar"', '"en"') },
  signInShells: { ar: SHELL, en: SHELL.replace('"ar"', '"en"') },
  code: `exports.renderPublicPage = async ({ language, data: { profile, messages, unsent } }) => {
    if (profile?.name === 'broken') throw new Error('broken');
    if (profile?.name === 'slow') await new Promise((resolve) => setTimeout(resolve, 500));
    const { code, retryAfter } = unsent?.error ?? {};
    if (unsent) return { body: '<main>' + language + ':unsent ' + code + ' ' + retryAfter + '</main>', styles: '' };
    const content = profile === null ? 'nobody' : messages.items.map(({ id }) => id).join();
    return { body: '<main>' + language + ':' + content + '</main>', styles: '<style>main{}</style>' };
  };
  exports.renderWayBack = async ({ language, data: { wayBack, asked, unsent } }) => {
    const { act = 'shown', outcome = '' } = asked ?? {};
    const state = unsent ? 'unsent ' + unsent.content + ' ' + unsent.error.code : act + ' ' + (outcome.code ?? outcome);
    const content = wayBack === null ? 'nothing' : wayBack.content + ' ' + state;
    return { body: '<main>' + language + ':' + content + '</main>', styles: '' };
  };
  exports.renderSignIn = async ({ language, path, data: { refused, created } }) => {
    const content = refused ? (refused.error.code ?? refused.error) : created.username + ' ' + created.codes;
    return { body: '<main>' + language + ':' + path + ' ' + content + '</main>', styles: '', title: 'of ' + path };
  };`,
};

/** As the web container does. Every page is "the plain client". */
export function answerAsWebClient(upstream: Pick<Upstream, 'answer'>): void {
  upstream.answer((request, response) => {
    response
      .setHeader('Content-Security-Policy', "default-src 'self'")
      .end(request.url === '/server/render.json' ? JSON.stringify(BUILD) : 'the plain client');
  });
}

/** Until a page is rendered: on a busy machine, the gateway's patience may end before its thread has loaded the code. */
export async function serveWebClient({ upstreams, fetch }: Pick<GatewayBed, 'upstreams' | 'fetch'>): Promise<void> {
  answerAsWebClient(upstreams.web);
  await eventually(async () => expect(await (await fetch('/r/abcdefghijklmnopqrstuv')).text()).toContain('<main>'));
}
