import { AppError } from '@najwa/common/errors';
import { linkNextPage, setTotal, type Handlers } from '@najwa/common/http';
import { isSanction } from '@najwa/proto/http';
import type { Action, Report } from '@najwa/proto/messages';
import type { AdminContext } from '../context.js';
import { audited } from '../domain/audited.js';
import { entryOf } from './entry.js';
import { presentAction, presentReport } from './present.js';

type ReportOperation =
  | 'listReportedMessages'
  | 'countReportedMessages'
  | 'listActions'
  | 'openReport'
  | 'openConversation'
  | 'actOnReport'
  | 'undoAction';

/** Limit of auth. */
const MAX_NAMES = 100;

const actorsOf = ({ actorId, undone }: Action): number[] => [actorId, undone?.actorId ?? 0];

async function usernamesOf(
  { auth }: AdminContext,
  reports: Pick<Report, 'assignedTo' | 'actions'>[],
): Promise<Map<number, string>> {
  const ids = reports.flatMap(({ assignedTo, actions }) => [assignedTo, ...actions.flatMap(actorsOf)]);
  const accounts = await auth.findUsers([...new Set(ids)].filter((id) => id !== 0).slice(0, MAX_NAMES));
  return new Map(accounts.map(({ id, username }) => [id, username]));
}

/** The action is already done, so a missing name must not fail it. */
async function presented(context: AdminContext, action: Action) {
  const usernames = await usernamesOf(context, [{ assignedTo: 0, actions: [action] }]).catch((error: unknown) => {
    context.logger.warn({ err: error }, 'an action is answered without usernames');
    return new Map<number, string>();
  });
  return presentAction(action, usernames);
}

/** Every view and action is logged. */
export function reportHandlers(context: AdminContext): Pick<Handlers<'admin'>, ReportOperation> {
  const { messages } = context;
  return {
    async listReportedMessages({ identity, query: { before = 0, limit, status }, request, response }) {
      const entry = entryOf(identity, 'reports.list', { status, ...(before !== 0 && { before }) });
      const page = await audited(context, entry, async () => {
        const result = await messages.listReports({
          before,
          limit,
          status: status === 'all' ? '' : status,
          readerId: identity.user.id,
        });
        const ids = result.reports.map(({ id }) => id);
        return {
          result,
          details: {
            reports: ids.length,
            ...(ids.length > 0 && { newestId: Math.max(...ids), oldestId: Math.min(...ids) }),
          },
        };
      });
      linkNextPage({ request, response }, page.nextBefore);
      setTotal({ response }, page.total);
      const usernames = await usernamesOf(context, page.reports);
      return page.reports.map((report) => presentReport(report, usernames));
    },

    async countReportedMessages({ identity }) {
      const { open = null, mine = null, closed = null } = await messages.countReports(identity.user.id);
      return { open, mine, closed };
    },

    async listActions({ identity, query: { before = 0, limit, kind }, request, response }) {
      const entry = entryOf(identity, 'actions.list', { kind, ...(before !== 0 && { before }) });
      const { actions, nextBefore } = await audited(context, entry, async () => {
        const result = await messages.listActions({
          before,
          limit,
          kind: kind === 'all' ? '' : kind,
          readerId: identity.user.id,
        });
        return { result, details: { actions: result.actions.length } };
      });
      linkNextPage({ request, response }, nextBefore);
      const usernames = await usernamesOf(context, [{ assignedTo: 0, actions }]);
      return actions.map((action) => presentAction(action, usernames));
    },

    async openReport({ identity, params: { id } }) {
      const report = await audited(context, entryOf(identity, 'report.open', { reportId: id }), async () => ({
        result: await messages.openReport(id, identity.user.id),
      }));
      return presentReport(report, await usernamesOf(context, [report]));
    },

    async openConversation({ identity, params: { id }, body: { reason } }) {
      const entry = entryOf(identity, 'report.conversation', { reportId: id, reason });
      const turns = await audited(context, entry, async () => {
        const result = await messages.openConversation({ reportId: id, readerId: identity.user.id });
        return { result, details: { turns: result.length } };
      });
      return turns.map(({ isFromSender, createdAt = new Date(0), ...turn }) => ({
        ...turn,
        from: isFromSender ? ('sender' as const) : ('recipient' as const),
        createdAt: createdAt.toISOString(),
      }));
    },

    async actOnReport({ identity, params: { id }, body: { action, reason, days = 0 } }) {
      const details = { reportId: id, action, reason, ...(days !== 0 && { days }) };
      const taken = await audited(context, entryOf(identity, 'report.act', details), async () => {
        if (isSanction(action) && !identity.user.isAdmin)
          throw new AppError({ code: 'not_allowed', message: 'Suspending and blocking are for administrators.' });
        const result = await messages.actOnReport({ reportId: id, action, reason, days, actorId: identity.user.id });
        return { result, details: { actionId: result.id } };
      });
      return presented(context, taken);
    },

    async undoAction({ identity, params: { id }, body: { reason } }) {
      const entry = entryOf(identity, 'action.undo', { actionId: id, reason });
      const undone = await audited(context, entry, async () => {
        const result = await messages.undoAction({ actionId: id, reason, actorId: identity.user.id });
        return { result, details: { reportId: result.reportId } };
      });
      return presented(context, undone);
    },
  };
}
