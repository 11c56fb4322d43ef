import { AppError } from '@najwa/common/errors';
import { tooSlow, widestOf, type ClientScope } from '@najwa/common/limits';
import type { ConcurrencyLimit } from './concurrency-limit.js';
import type { MeteredBody } from './request-body.js';

/** A large body under way. */
export interface Upload {
  /** Names the body, which may have to give way from then on. */
  carry(body: MeteredBody): void;
  /** Gives its place back. Only the first call counts. */
  end(): void;
}

export interface Uploads {
  /** @returns the upload, or the bound that is reached */
  begin(scopes: readonly ClientScope[]): Upload | 'key' | 'total';
}

export interface UploadsOptions {
  slots: ConcurrencyLimit;
  /** Bound for all together. */
  total: number;
}

/** With fewer places left, the slowest gives way. */
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
 * Places for large bodies. Nobody keeps others out by sending slowly, or from many addresses: when few places are left,
 * the slowest ends; when none is, the slowest of the site that has the most.
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

  /** The uploads of the site with the most, if it would still have more than another one. */
  const ofLargest = (site: string): Carried[] => {
    const bySite = new Map<string, Carried[]>();
    for (const upload of underWay) bySite.set(upload.site, [...(bySite.get(upload.site) ?? []), upload]);
    let largest: Carried[] = [];
    for (const uploads of bySite.values()) if (uploads.length > largest.length) largest = uploads;
    return largest.length > (bySite.get(site)?.length ?? 0) + 1 ? largest : [];
  };

  /** @returns false if none is slow */
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
      // Nobody gives way to a client that is refused for itself.
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
          // What has arrived waits for its service, and nobody for it.
          body.once('finish', () => underWay.delete(carried)).once('close', () => underWay.delete(carried));
        },
      };
    },
  };
}
