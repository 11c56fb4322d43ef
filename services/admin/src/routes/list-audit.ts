import { validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AdminContext } from '../context.js';
import { administratorOf } from './administrator.js';
import { linkNextPage, pageQuery } from './paging.js';
import { presentAuditEntry } from './present.js';

const query = z.object(pageQuery);

/** GET /api/admin/audit */
export function listAuditRoute({ audit, auth }: AdminContext): RequestHandler {
  return async (request, response) => {
    administratorOf(response);
    const { before, limit } = validate(query, request.query);
    const found = await audit.list({ before, limit: limit + 1 });
    const page = found.slice(0, limit);
    const accounts = await auth.findUsers([...new Set(page.flatMap(({ userId }) => userId ?? []))]);
    const usernames = new Map(accounts.map(({ id, username }) => [id, username]));
    linkNextPage(request, response, found.length > limit ? (page.at(-1)?.id ?? 0) : 0);
    response.json(page.map((entry) => presentAuditEntry(entry, usernames.get(entry.userId ?? 0))));
  };
}
