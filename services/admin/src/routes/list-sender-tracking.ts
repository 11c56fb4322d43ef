import { idInPath, personText, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AdminContext } from '../context.js';
import { audited } from '../domain/audited.js';
import { administratorOf } from './administrator.js';
import { linkNextPage, pageQuery, tellTotal } from './paging.js';
import { presentTrackingRecord } from './present.js';

const query = z.object({
  ...pageQuery,
  userId: idInPath.optional(),
  text: personText({ min: 0, max: 100 }).default(''),
});

/** GET /api/admin/sender-tracking */
export function listSenderTrackingRoute(context: AdminContext): RequestHandler {
  return async (request, response) => {
    const { user, ip } = administratorOf(response);
    const { before = 0, limit, userId = 0, text } = validate(query, request.query);
    const entry = {
      userId: user.id,
      ipAddress: ip,
      action: 'tracking.list' as const,
      // That a text was looked for, and not which: it may be words that somebody wrote.
      details: {
        ...(before !== 0 && { before }),
        ...(userId !== 0 && { recipientId: userId }),
        ...(text !== '' && { byText: true }),
      },
    };
    const page = await audited(context, entry, async () => {
      const result = await context.tracking.listTracking({ before, limit, recipientId: userId, text });
      const [newest, oldest] = [result.records.at(0), result.records.at(-1)];
      return {
        result,
        details: {
          records: result.records.length,
          ...(newest && oldest && { newestId: newest.id, oldestId: oldest.id }),
        },
      };
    });
    linkNextPage(request, response, page.nextBefore);
    tellTotal(response, page.total);
    response.json(page.records.map(presentTrackingRecord));
  };
}
