export const REPORT_REASONS = [
  'harassment',
  'threat',
  'blackmail',
  'sexual',
  'minor',
  'self_harm',
  'spam',
  'other',
] as const;

/** A person may be in danger. */
export const URGENT_REASONS: readonly ReportReason[] = ['threat', 'minor', 'self_harm', 'blackmail'];

export type ReportReason = (typeof REPORT_REASONS)[number];

export const isUrgent = (reason: ReportReason): boolean => URGENT_REASONS.includes(reason);

/** The last two are for administrators. */
export const MODERATION_ACTIONS = ['dismiss', 'remove', 'warn', 'suspend', 'block'] as const;

export type ModerationAction = (typeof MODERATION_ACTIONS)[number];

/** Filters of the history. `undone` covers all kinds. */
export const ACTION_FILTERS = ['all', 'remove', 'suspend', 'block', 'undone'] as const;

export type ActionFilter = (typeof ACTION_FILTERS)[number];

/** For administrators only, with default days. */
export const SANCTION_DAYS = { suspend: 7, block: 1 } as const;

export type Sanction = keyof typeof SANCTION_DAYS;

export const isSanction = (action: ModerationAction): action is Sanction => action in SANCTION_DAYS;
