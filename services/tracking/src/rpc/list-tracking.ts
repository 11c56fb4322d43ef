import { AppError, type UnaryHandlers } from '@najwa/common';
import type { TrackingServiceService } from '@najwa/proto/tracking';
import type { TrackingContext } from '../context.js';

const MAX_LIMIT = 100;

export function listTrackingMethod({ records }: TrackingContext): UnaryHandlers<TrackingServiceService>['listTracking'] {
  return async ({ before, limit }) => {
    if (limit < 1 || limit > MAX_LIMIT) throw new AppError({ code: 'invalid_input', message: `The limit is from 1 to ${MAX_LIMIT}.` });
    const found = await records.list({ before: before === 0 ? undefined : before, limit: limit + 1 });
    const page = found.slice(0, limit);
    return {
      records: page.map(({ id, messageId, createdAt, message, trace }) => ({ id, messageId, createdAt, message, ...trace })),
      nextBefore: found.length > limit ? (page.at(-1)?.id ?? 0) : 0,
    };
  };
}
