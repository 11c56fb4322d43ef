import { AppError, type UnaryHandlers } from '@najwa/common';
import type { TrackingServiceService } from '@najwa/proto/tracking';
import type { TrackingContext } from '../context.js';
import { presentRecord } from './present.js';

const MAX_LIMIT = 100;
/** In code units: the administrators' call counts a hundred characters as a person sees them, which may be of many. */
const MAX_TEXT_LENGTH = 1_600;

export function listTrackingMethod({
  records,
}: TrackingContext): UnaryHandlers<TrackingServiceService>['listTracking'] {
  return async ({ before, limit, recipientId, text }) => {
    if (limit < 1 || limit > MAX_LIMIT)
      throw new AppError({ code: 'invalid_input', message: `The limit is from 1 to ${MAX_LIMIT}.` });
    if (text.length > MAX_TEXT_LENGTH)
      throw new AppError({ code: 'invalid_input', message: `The text has at most ${MAX_TEXT_LENGTH} characters.` });
    const filter = {
      recipientId: recipientId === 0 ? undefined : recipientId,
      text: text.trim() === '' ? undefined : text,
    };
    const [page, total] = await Promise.all([
      records.list(filter, { before: before === 0 ? undefined : before, limit }),
      records.count(filter),
    ]);
    return { records: page.records.map(presentRecord), nextBefore: page.nextBefore ?? 0, total: total ?? undefined };
  };
}
