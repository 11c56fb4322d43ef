import { IDENTITY_HEADER, type IdentitySigner } from '@najwa/common/identity';
import { widestOf } from '@najwa/common/limits';
import { REQUEST_ID_HEADER } from '@najwa/common/logging';
import type { RequestHandler } from 'express';
import type { Upstreams } from '../clients/upstreams.js';
import type { Windows } from '../domain/windows.js';
import { exchangeOf } from '../exchange.js';
import { readerLanguage, type PublicPages } from '../rendering/index.js';
import { answerPage } from './answers.js';

export interface WayBackPageDeps {
  upstreams: Pick<Upstreams, 'read'>;
  pages: Pick<PublicPages, 'writeWayBack'>;
  networks: Pick<Windows, 'take'>;
  sign: IdentitySigner['sign'];
}

const PAGE = /^\/r\/([\w-]{22})$/;

/**
 * Renders the page of a way back for browsers without scripts. Never cached or logged. Falls back to the web client.
 */
export function createWayBackPage({ upstreams, pages, networks, sign }: WayBackPageDeps): RequestHandler {
  return (request, response, next) => {
    const [, token] = PAGE.exec(request.path) ?? [];
    const exchange = exchangeOf(response);
    const { requestId, origin, visitorId } = exchange;
    if (token === undefined || visitorId === undefined) {
      next();
      return;
    }
    exchange.endpoint = 'wayBackPage';
    if (networks.take(origin.network) > 0) {
      next();
      return;
    }
    const answer = async (): Promise<void> => {
      // The service reads the token alone, and counts the network.
      const identity = await sign({ user: null, visitorId, ip: origin.address }, 'messages');
      const { statusCode, body } = await upstreams.read('messages', {
        path: `/api/ways-back/${token}`,
        headers: { [IDENTITY_HEADER]: identity, [REQUEST_ID_HEADER]: requestId },
      });
      if (statusCode !== 200 && statusCode !== 404) {
        next();
        return;
      }
      const wayBack = statusCode === 404 ? null : (JSON.parse(body.toString('utf8')) as object);
      const page = await pages.writeWayBack({
        language: readerLanguage(request.headers.cookie),
        token,
        data: { wayBack },
        site: widestOf(origin.scopes),
      });
      if (page === undefined) {
        next();
        return;
      }
      await answerPage(response, statusCode, page);
    };
    answer().catch(() => {
      if (response.headersSent) response.destroy();
      else next();
    });
  };
}
