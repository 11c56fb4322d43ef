/** Times of retention. Services delete by them, and the pages that promise them take their numbers from here. */
export const RETENTION = {
  /** Network addresses and other data about sending, unless `TRACKING_RETENTION_DAYS` says otherwise. */
  trackingDays: 90,
  /** A mark that blocks compare, made from a network address. */
  networkTagHours: 24,
  /** Messages in the folder "set aside". */
  asideDays: 30,
  /** Notifications. */
  notificationDays: 90,
  /** A browser that is told of the reply to a message, without one. An account's is told for as long as a session. */
  pushWayBackDays: 365,
  /** Closed reports, with copies of what was reported. */
  closedReportDays: 180,
  /** A session, counted from its last use. */
  sessionDays: 30,
  /** A file that no message and no account claims. */
  unclaimedFileHours: 24,
  /** The altered voice that a sender hears before sending. */
  previewMinutes: 10,
  /** A visitor of a page, who counts once in that time. */
  visitMinutes: 30,
  /** Time to delete by the way back where the recipient does not tell of reading. */
  wayBackDeletionMinutes: 10,
  /** An export, from when it was asked for. */
  exportHours: 24,
  /** The name of a deleted account, which nobody can register meanwhile. */
  heldNameDays: 365,
} as const;

/** Every cookie that the site sets. Browsers keep it for `days`. */
export const COOKIES = {
  /** The token of a session. The server ends it earlier, see `RETENTION.sessionDays`. */
  session: { name: 'najwa_session', days: 400 },
  /** Tells visitors apart. */
  visitor: { name: 'najwa_visitor', days: 365 },
  /** The language of the pages. */
  language: { name: 'language', days: 365 },
} as const;

/**
 * The name under which a cookie of ours is set. Browsers take one with this prefix over TLS from the host itself alone, so
 * that no neighbouring subdomain can plant one.
 * @param isSecure false on the loopback interface, which has no TLS
 */
export const cookieNameOf = (cookie: 'session' | 'visitor', isSecure: boolean): string =>
  `${isSecure ? '__Host-' : ''}${COOKIES[cookie].name}`;
