import { truncateToMinute } from '@najwa/common';
import { AppError, validate } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import { ACTION_FILTERS, fields, LIMITS, MODERATION_ACTIONS } from '@najwa/proto/http';
import type { Action, MessagesServiceService, Report, Turn } from '@najwa/proto/messages';
import { z } from 'zod';
import type { MessageRecord } from '../store/message-record.js';
import {
  actOnReport,
  listReports,
  openConversation,
  openReport,
  readerOf,
  undoAction,
  type ListedReport,
  type ModerationDeps,
} from './decisions.js';
import { isOwnAffair, type ActionRecord, type Reader, type ReportFilter, type ReportRecord } from './report-record.js';

const newAction = z.object({
  reportId: fields.id,
  action: z.enum(MODERATION_ACTIONS, { error: 'not_a_choice' }),
  reason: fields.reason,
  days: z.number().int().min(0).max(LIMITS.sanctionDays.max, 'out_of_range'),
  actorId: fields.id,
});

const newUndo = z.object({ actionId: fields.id, reason: fields.reason, actorId: fields.id });

const actionsPage = z.object({
  before: z.number().int().min(0),
  limit: z.number().int().min(1).max(LIMITS.page.max),
  kind: z.enum(['', ...ACTION_FILTERS.filter((kind) => kind !== 'all')]),
  // 0 from older versions of admin, which send no reader.
  readerId: z.number().int().min(0),
});

const affairIds = z.array(fields.id).max(LIMITS.page.max);
const affairsAsked = z.object({ readerId: fields.id, reportIds: affairIds, actionIds: affairIds });

function filterOf(status: string, reader: Reader): ReportFilter {
  switch (status) {
    case '':
      return { reader };
    case 'mine':
      return { reader, assignedTo: reader.id, status: 'open' };
    case 'open':
    case 'closed':
      return { reader, status };
    default:
      throw new AppError({ code: 'invalid_input', message: 'There is no such status.' });
  }
}

type ModerationCall =
  | 'listReports'
  | 'openReport'
  | 'openConversation'
  | 'actOnReport'
  | 'undoAction'
  | 'listActions'
  | 'findAffairs'
  | 'countReports';

export function moderationCalls(deps: ModerationDeps): Pick<UnaryHandlers<MessagesServiceService>, ModerationCall> {
  return {
    async listReports({ before, limit, status, readerId }) {
      if (limit < 1 || limit > LIMITS.page.max)
        throw new AppError({ code: 'invalid_input', message: `The limit is from 1 to ${LIMITS.page.max}.` });
      const page = { before: before === 0 ? undefined : before, limit: limit + 1 };
      const { found, total } = await listReports(deps, filterOf(status, readerOf(deps, readerId)), page);
      const shown = found.slice(0, limit);
      return {
        reports: shown.map(presentReport),
        nextBefore: found.length > limit ? (shown.at(-1)?.id ?? 0) : 0,
        total: total ?? undefined,
      };
    },
    async openReport({ id, readerId }) {
      return { report: presentReport(await openReport(deps, id, readerId)) };
    },
    async openConversation({ reportId, readerId }) {
      const turns = (await openConversation(deps, reportId, readerId)).flatMap(presentTurns);
      return { turns: turns.slice(-LIMITS.turns) };
    },
    async actOnReport(request) {
      const { reportId, days, ...action } = validate(newAction, request);
      const taken = await actOnReport(deps, reportId, { ...action, days: days === 0 ? undefined : days });
      return { action: presentAction(reportId, taken) };
    },
    async undoAction(request) {
      const { actionId, ...undo } = validate(newUndo, request);
      const { reportId, action } = await undoAction(deps, actionId, undo);
      return { action: presentAction(reportId, action) };
    },
    async listActions(request) {
      const { before, limit, kind, readerId } = validate(actionsPage, request);
      const found = await deps.reports.listActions(
        readerOf(deps, readerId),
        ({ action, undone }) => kind === '' || (kind === 'undone' ? undone !== null : action === kind),
        { before: before === 0 ? undefined : before, limit: limit + 1 },
      );
      const shown = found.slice(0, limit);
      return {
        actions: shown.map(({ reportId, action }) => presentAction(reportId, action)),
        nextBefore: found.length > limit ? (shown.at(-1)?.action.id ?? 0) : 0,
      };
    },
    async findAffairs(request) {
      const { readerId, reportIds, actionIds } = validate(affairsAsked, request);
      const reader = readerOf(deps, readerId);
      const found = await deps.reports.findAffairs({ reports: reportIds, actions: actionIds });
      return {
        affairs: found.map((report) => ({
          reportId: report.id,
          actionIds: report.actions.map(({ id }) => id),
          isOwn: isOwnAffair(report, reader),
        })),
      };
    },
    async countReports({ readerId }) {
      const reader = readerOf(deps, readerId);
      const [open, mine, closed] = await Promise.all(
        ['open', 'mine', 'closed'].map((status) => deps.reports.count(filterOf(status, reader))),
      );
      return { open: open ?? undefined, mine: mine ?? undefined, closed: closed ?? undefined };
    },
  };
}

const countOf = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

/** Omits recipient, sender and reporters. */
function presentReport({ id, evidence, entries, actions, status, assignedTo, history }: ListedReport): Report {
  return {
    id,
    message: presentEvidence(evidence),
    reasons: countOf(entries.map(({ reason }) => reason)),
    comments: entries.map(({ comment }) => comment).filter((comment) => comment !== ''),
    reports: entries.length,
    senderReportedBefore: history.reported,
    senderActions: history.actions,
    createdAt: entries[0]?.at,
    status,
    assignedTo: assignedTo ?? 0,
    actions: actions.map((action) => presentAction(id, action)),
  };
}

const presentTurns = ({ content, imageName, audio, createdAt, reply }: MessageRecord): Turn[] => [
  {
    isFromSender: true,
    content,
    hasPicture: imageName !== null,
    hasVoice: audio !== null,
    createdAt: new Date(truncateToMinute(createdAt)),
  },
  ...(reply
    ? [
        {
          isFromSender: false,
          content: reply.content,
          hasPicture: false,
          hasVoice: false,
          createdAt: new Date(truncateToMinute(reply.createdAt)),
        },
      ]
    : []),
];

function presentEvidence({ content, isPublic, imageName, audio, createdAt }: ReportRecord['evidence']) {
  return {
    content,
    isPublic,
    imageName: imageName ?? '',
    audioName: audio?.name ?? '',
    audioDuration: audio?.duration ?? 0,
    audioPeaks: audio?.peaks ?? [],
    createdAt: new Date(truncateToMinute(createdAt)),
  };
}

const presentAction = (reportId: number, { id, action, reason, days, actorId, at, undone }: ActionRecord): Action => ({
  id,
  reportId,
  action,
  reason,
  days: days ?? 0,
  actorId,
  createdAt: at,
  undone: undone ? { actorId: undone.actorId, reason: undone.reason, createdAt: undone.at } : undefined,
});
