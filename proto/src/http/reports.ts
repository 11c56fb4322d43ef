import { z } from 'zod';
import { fields, paging } from './fields.js';
import { LIMITS } from './limits.js';
import { ACTION_FILTERS, MODERATION_ACTIONS, REPORT_REASONS } from './moderation.js';
import type { OperationSpec } from './operation.js';

export const reportReason = z.enum(REPORT_REASONS, { error: 'not_a_choice' }).meta({ id: 'ReportReason' });
const moderationAction = z.enum(MODERATION_ACTIONS, { error: 'not_a_choice' }).meta({ id: 'ModerationAction' });
const reportStatus = z.enum(['open', 'closed']).meta({ id: 'ReportStatus' });

const newReport = z
  .strictObject({
    messageId: fields.id,
    reason: reportReason,
    comment: fields.comment.default(''),
  })
  .meta({ id: 'NewReport' });

const report = z.strictObject({ id: fields.id, status: reportStatus }).meta({ id: 'Report' });

const ownReport = z
  .strictObject({
    id: fields.id,
    messageId: fields.id,
    reason: reportReason,
    status: reportStatus,
    outcome: z
      .enum(['dismissed', 'removed', 'acted'])
      .nullable()
      .describe('`acted`: the message stays, and something was done about its sender. Null while it is open.'),
    createdAt: fields.timestamp,
  })
  .meta({ id: 'OwnReport', description: 'A report, as the account that made it sees it.' });

const action = z
  .strictObject({
    id: fields.id,
    reportId: fields.id,
    action: moderationAction,
    reason: z.string(),
    days: z.number().int().min(1).nullable().describe('Of a suspension or a block.'),
    by: z.string().nullable().describe('Username. Null if the account no longer exists.'),
    createdAt: fields.timestamp,
    undone: z
      .strictObject({ by: z.string().nullable(), reason: z.string(), createdAt: fields.timestamp })
      .nullable()
      .describe('Who took it back, and why.'),
  })
  .meta({ id: 'Action', description: 'What a moderator did.' });

const actionFilter = z
  .enum(ACTION_FILTERS, { error: 'not_a_choice' })
  .default('all')
  .describe('`undone`: those of any kind that were taken back.');

const reportCount = fields.count.nullable().describe('Null if there are too many to count.');

const reportCounts = z
  .strictObject({ open: reportCount, mine: reportCount, closed: reportCount })
  .meta({ id: 'ReportCounts' });

const counts = z.record(z.string(), fields.count);

const reportedMessage = z
  .strictObject({
    id: fields.id,
    message: z
      .strictObject({
        content: z.string(),
        isPublic: z.boolean(),
        imageUrl: fields.imageUrl,
        audioUrl: fields.audioUrl,
        audioDuration: z.number().int().min(0).nullable().describe('In seconds.'),
        audioPeaks: z.array(z.number().int().min(0).max(100)).nullable(),
        createdAt: fields.timestamp.describe('Truncated to the minute.'),
      })
      .describe('The message as it was when it was first reported, also if it was deleted. Nothing says whose it is.'),
    reasons: z.array(reportReason).describe('The distinct ones, the most frequent first.'),
    reasonCounts: counts,
    comments: z.array(z.string()),
    reports: fields.count.describe('Number of reporters.'),
    senderReportedBefore: z
      .enum(['none', 'some', 'many'])
      .describe(
        'Other messages of the same sender that were reported, and that other moderators acted on at least three days ago. `many`: four or more.',
      ),
    senderActions: z.record(z.string(), z.enum(['some', 'many'])).describe('What was done about them.'),
    createdAt: fields.timestamp,
    status: reportStatus,
    assignedTo: z.string().nullable().describe('Username of the moderator who opened it first.'),
    actions: z.array(action),
  })
  .meta({ id: 'ReportedMessage', description: 'All reports of one message.' });

const filter = z
  .enum(['open', 'mine', 'closed', 'all'], { error: 'not_a_choice' })
  .default('all')
  .describe('`mine`: open and assigned to the own account.');

const newAction = z
  .strictObject({
    action: moderationAction,
    reason: fields.reason,
    days: z
      .number({ error: 'not_a_number' })
      .int('not_a_number')
      .min(LIMITS.sanctionDays.min, 'out_of_range')
      .max(LIMITS.sanctionDays.max, 'out_of_range')
      .exactOptional()
      .describe('Of a suspension, 7 if omitted, or a block, 1 if omitted. Ignored otherwise.'),
  })
  .meta({ id: 'NewAction' });

const reportParams = z.object({ id: fields.idText });

export const reportOperations = {
  createReport: {
    summary: 'Report a message to the moderators',
    description:
      'By its recipient, or by anybody if it is public. The message is kept for the moderators from then on, also if it is deleted. A second report of the same message by the same reporter answers the first; visitors of one network count as one reporter.',
    body: newReport,
    answer: { status: 201, description: 'The report.', body: report },
    errors: { message_not_found: 'there is no such message, or the caller may not see it' },
  },
  listReports: {
    summary: 'Reports of the own account with their outcomes, newest first',
    query: z.object(paging),
    answer: { status: 200, description: 'One page of reports.', body: z.array(ownReport), optionalHeaders: ['Link'] },
  },
  listReportedMessages: {
    summary: 'Reported messages, newest first; of open ones, first those of which somebody may be in danger',
    description: 'For moderators and administrators. Every read is written to the audit log first.',
    query: z.object({ status: filter, ...paging }),
    answer: {
      status: 200,
      description: 'One page of reported messages.',
      body: z.array(reportedMessage),
      optionalHeaders: ['Link', 'X-Total-Count'],
    },
  },
  countReportedMessages: {
    summary: 'Number of reported messages that are open, with the own account, and closed',
    answer: { status: 200, description: 'The numbers.', body: reportCounts },
  },
  listActions: {
    summary: 'Actions of all moderators and administrators, newest first',
    description:
      'For moderators and administrators. Every read is written to the audit log first. Actions are kept as long as their reports. Those about messages that the caller sent, received or reported are left out.',
    query: z.object({ kind: actionFilter, ...paging }),
    answer: { status: 200, description: 'One page of actions.', body: z.array(action), optionalHeaders: ['Link'] },
  },
  openReport: {
    summary: 'Open a reported message',
    description: 'An open one that nobody has is assigned to the own account. Written to the audit log first.',
    params: reportParams,
    answer: { status: 200, description: 'The reported message.', body: reportedMessage },
    errors: { report_not_found: 'there is no such report' },
  },
  openConversation: {
    summary: 'The conversation that a reported message belongs to',
    description: 'The reason is written to the audit log first.',
    params: reportParams,
    body: z.strictObject({ reason: fields.reason }).meta({ id: 'NewLook' }),
    answer: {
      status: 200,
      description: `The last ${LIMITS.turns} turns, oldest first. None for a single message, and once it is deleted.`,
      body: z.array(
        z
          .strictObject({
            from: z.enum(['sender', 'recipient']),
            content: z.string(),
            hasPicture: z.boolean(),
            hasVoice: z.boolean(),
            createdAt: fields.timestamp.describe('Truncated to the minute.'),
          })
          .meta({ id: 'ReportedTurn' }),
      ),
    },
    errors: { report_not_found: 'there is no such report' },
  },
  actOnReport: {
    summary: 'Decide about a reported message',
    description:
      'Dismiss, remove and warn need an open report. Suspend and block are for administrators, and can follow another decision. A suspended account, and a sender who is blocked everywhere, get the answers of a success; what they send is set aside.',
    params: reportParams,
    body: newAction,
    answer: { status: 201, description: 'The action.', body: action },
    errors: {
      report_not_found: 'there is no such report',
      already_decided: 'somebody else was first',
      sender_unknown: 'the message was not sent by an account that could be suspended',
      too_many_blocks: 'too many suspensions and blocks are in force',
    },
  },
  undoAction: {
    summary: 'Take back what another moderator or administrator did',
    params: reportParams,
    body: z.strictObject({ reason: fields.reason }).meta({ id: 'NewUndo' }),
    answer: { status: 201, description: 'The action, taken back.', body: action },
    errors: {
      report_not_found: 'there is no such action',
      own_action: 'the caller did it',
      already_decided: 'it was taken back before',
      undo_expired: 'the message that was removed is gone for good',
    },
  },
} satisfies Record<string, OperationSpec>;
