import { createTimedIds } from '@najwa/common';
import { takePage, type Handlers } from '@najwa/common/http';
import { clientNetwork } from '@najwa/common/limits';
import type { Limits } from '../config.js';
import { outcomeOf } from './events.js';
import type { OwnReport } from './report-record.js';
import { reportMessage, type ReportsDeps } from './reports.js';

export function reportHandlers(deps: ReportsDeps, limits: Limits<'report' | 'visitorReport'>) {
  const nextVisitorId = createTimedIds();
  return {
    createReport: {
      limit: ({ identity: { user, ip } }) =>
        user === null ? limits.visitorReport.consume(clientNetwork(ip)) : limits.report.consume(String(user.id)),
      async handle({ identity, body }) {
        const { id } = await reportMessage(deps, identity, body);
        // Visitors of one network share a reporter tag, and must not learn of each other's reports.
        return { id: identity.user === null ? nextVisitorId(clientNetwork(identity.ip)) : id, status: 'open' };
      },
    },
    async listReports({ identity: { user }, query: { before, limit }, request, response }) {
      const found = await deps.reports.listOwn(user.id, { before, limit: limit + 1 });
      return takePage({ request, response }, found, limit, ({ entry }) => entry.id).map(presentOwnReport);
    },
  } satisfies Partial<Handlers<'messages'>>;
}

function presentOwnReport({ entry: { id, reason, at }, messageId, action }: OwnReport) {
  const outcome = outcomeOf(action);
  return {
    id,
    messageId,
    reason,
    status: outcome === null ? ('open' as const) : ('closed' as const),
    outcome,
    createdAt: at.toISOString(),
  };
}
