import { AppError } from '@najwa/common';
import type { RequestHandler } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { exchangeOf } from '../exchange.js';

export interface AddressLimitDeps {
  points: number;
  seconds: number;
  /** RATE_LIMIT_SCALE: multiplies the points; 0 switches the limit off. */
  scale: number;
}

/** One household has a whole /64, so that its addresses count together. */
export function limitKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail.split(':').filter((group) => group !== '');
  const groups = address.includes('::')
    ? [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
    : left;
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** A generous bound for one address, in each replica's own memory: against floods, not against people. */
export function createAddressLimit({ points, seconds, scale }: AddressLimitDeps): RequestHandler {
  if (scale === 0) return (_request, _response, next) => next();
  const limiter = new RateLimiterMemory({ points: Math.max(1, Math.round(points * scale)), duration: seconds });
  return (_request, response, next) => {
    limiter.consume(limitKey(exchangeOf(response).client.address)).then(
      () => next(),
      (refusal: unknown) => {
        const retryAfter =
          refusal instanceof RateLimiterRes ? Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) : seconds;
        next(new AppError({ code: 'too_many_requests', message: 'Too many requests. Wait a little.', retryAfter }));
      },
    );
  };
}
