/** Services delete by these, and the pages that promise them read them. */
export const RETENTION = {
  /** Network addresses and the like. Default of `TRACKING_RETENTION_DAYS`. */
  trackingDays: 90,
  /** Derived from a network address, compared by blocks. */
  networkTagHours: 24,
  /** Messages set aside. */
  asideDays: 30,
  notificationDays: 90,
  /** Push for the reply to a message, without an account. With one, as long as a session. */
  pushWayBackDays: 365,
  /** With copies of reported messages. */
  closedReportDays: 180,
  /** From the last use. */
  sessionDays: 30,
  /** Claimed by no message and no account. */
  unclaimedFileHours: 24,
  /** The altered voice before sending. */
  previewMinutes: 10,
  /** A visitor counts once. */
  visitMinutes: 30,
  /** For deletion by the way back if the recipient hides reading. */
  wayBackDeletionMinutes: 10,
  /** From the request. */
  exportHours: 24,
  /** Before the name of a deleted account can be registered again. */
  heldNameDays: 365,
  /** After a restore, accounts see for so long which time their settings are of. */
  restoreNoticeDays: 30,
} as const;

/** All cookies. Browsers keep them for `days`. */
export const COOKIES = {
  /** The server ends sessions earlier, see `RETENTION.sessionDays`. */
  session: { name: 'najwa_session', days: 400 },
  visitor: { name: 'najwa_visitor', days: 365 },
  language: { name: 'language', days: 365 },
} as const;

/**
 * `__Host-` over TLS: no subdomain can set such a cookie.
 * @param isSecure false on loopback
 */
export const cookieNameOf = (cookie: 'session' | 'visitor', isSecure: boolean): string =>
  `${isSecure ? '__Host-' : ''}${COOKIES[cookie].name}`;
