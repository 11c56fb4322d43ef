import { AppError } from '@najwa/common/errors';
import { cookieAttributes, hashSessionToken } from '@najwa/common/http';
import { withRequestId } from '@najwa/common/logging';
import type { Request, RequestHandler, Response } from 'express';
import type { Session } from '../clients/auth.js';
import { refuseConcurrency, soleScope, type ConcurrencyLimit } from '../domain/concurrency-limit.js';
import { openEventStream, type EventStream } from '../domain/event-stream.js';
import { readSessionToken } from '../domain/headers.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import type { Sessions } from '../domain/sessions.js';
import type { Streams } from '../domain/streams.js';
import { exchangeOf, isGone } from '../exchange.js';
import { refuseLimited } from './identity.js';

export interface StreamPolicyDeps {
  streams: Pick<Streams, 'follow' | 'followWayBack'>;
  sessions: Pick<Sessions, 'find'>;
  slots: Record<'streams' | 'accountStreams', ConcurrencyLimit>;
}

const LAST_ID = /^[1-9]\d{0,14}$/;

function lastIdOf(request: Request): number {
  const given = request.get('last-event-id') ?? '';
  return LAST_ID.test(given) ? Number(given) : 0;
}

function wayBackOf(request: Request): string | undefined {
  const { wayBack } = request.query;
  return typeof wayBack === 'string' ? wayBack : undefined;
}

function requireSession(session: Session | null): void {
  if (session === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
  const refusal = refuseLimited(session);
  if (refusal) throw refusal;
}

export function createStreamPolicy({ streams, sessions, slots }: StreamPolicyDeps): RequestHandler {
  const follow = async (request: Request, response: Response): Promise<void> => {
    if (isGone(response)) return;
    const exchange = exchangeOf(response);
    exchange.endpoint = 'streamNotifications';
    const { session, origin } = exchange;
    const wayBack = wayBackOf(request);
    if (wayBack === undefined) requireSession(session);

    const acquire = (slot: ConcurrencyLimit, scopes: RequestOrigin['scopes']): void => {
      const release = slot.acquire(scopes);
      if (typeof release === 'string') throw refuseConcurrency(release);
      response.once('close', release);
    };
    acquire(slots.streams, origin.scopes);
    if (wayBack === undefined && session !== null) acquire(slots.accountStreams, soleScope(String(session.userId)));

    const open = (): EventStream => {
      exchange.isStream = true;
      exchange.releaseSlot?.();
      return openEventStream(response);
    };
    const token = readSessionToken(request.headers.cookie, cookieAttributes(origin.host).secure) ?? '';
    const remove = await withRequestId(exchange.requestId, () =>
      wayBack === undefined && session !== null
        ? streams.follow(
            {
              userId: session.userId,
              tokenHash: hashSessionToken(token),
              confirm: async () => requireSession(await sessions.find(token)),
            },
            lastIdOf(request),
            open,
          )
        : streams.followWayBack(wayBack ?? '', origin.network, open),
    );
    if (isGone(response)) remove();
    else response.once('close', remove);
  };

  return (request, response, next) => {
    follow(request, response).catch(next);
  };
}
