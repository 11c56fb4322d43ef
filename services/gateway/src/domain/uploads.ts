import { AppError } from '@najwa/common/errors';
import { tooSlow, widestOf, type ClientScope } from '@najwa/common/limits';
import type { ConcurrencyLimit } from './concurrency-limit.js';
import type { MeteredBody } from './request-body.js';

export interface Upload {
  /** From now on the body may be ended to make room. */
  carry(body: MeteredBody): void;
  end(): void;
}

export interface Uploads {
  begin(scopes: readonly ClientScope[]): Upload | 'key' | 'total';
}

export interface UploadsOptions {
  slots: ConcurrencyLimit;
  total: number;
}

const RESERVE = 1 / 4;
/** Slower than any connection on which people send pictures. */
const GIVES_WAY_BELOW = 32 * 1024;

interface Carried {
  site: string;
  body: MeteredBody;
  end: () => void;
}

const outnumbered = (): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'Too many uploads from this network at once. Try again shortly.',
    retryAfter: 5,
  });

const speedOf = ({ body }: Carried): number => body.bytesPerSecond() ?? Infinity;

/**
 * Slots for large bodies. Slow senders or many addresses cannot block others: with few slots left the slowest upload
 * ends, with none the slowest of the largest site.
 */
export function createUploads({ slots, total }: UploadsOptions): Uploads {
  const underWay = new Set<Carried>();

  const slowestOf = (uploads: Iterable<Carried>): Carried | undefined => {
    let slowest: Carried | undefined;
    for (const upload of uploads) if (slowest === undefined || speedOf(upload) < speedOf(slowest)) slowest = upload;
    return slowest;
  };

  const giveWay = (upload: Carried, reason: AppError): void => {
    underWay.delete(upload);
    upload.end();
    upload.body.destroy(reason);
  };

  /** Unless that site would then have no more than another. */
  const ofLargest = (site: string): Carried[] => {
    const bySite = new Map<string, Carried[]>();
    for (const upload of underWay) bySite.set(upload.site, [...(bySite.get(upload.site) ?? []), upload]);
    let largest: Carried[] = [];
    for (const uploads of bySite.values()) if (uploads.length > largest.length) largest = uploads;
    return largest.length > (bySite.get(site)?.length ?? 0) + 1 ? largest : [];
  };

  const endSlowest = (): boolean => {
    const slowest = slowestOf(underWay);
    if (slowest === undefined || speedOf(slowest) >= GIVES_WAY_BELOW) return false;
    giveWay(slowest, tooSlow());
    return true;
  };

  const endOfLargest = (site: string): void => {
    const outnumbering = slowestOf(ofLargest(site));
    if (outnumbering !== undefined) giveWay(outnumbering, outnumbered());
  };

  return {
    begin(scopes) {
      const site = widestOf(scopes);
      let release = slots.acquire(scopes);
      // A client over its own limit displaces no other.
      if (release === 'total') {
        if (!endSlowest()) endOfLargest(site);
        release = slots.acquire(scopes);
      } else if (release !== 'key' && slots.left() < total * RESERVE) endSlowest();
      if (typeof release === 'string') return release;
      return {
        end: release,
        carry(body) {
          const carried: Carried = { site, body, end: release };
          underWay.add(carried);
          // A received body waits only for its service.
          body.once('finish', () => underWay.delete(carried)).once('close', () => underWay.delete(carried));
        },
      };
    },
  };
}
