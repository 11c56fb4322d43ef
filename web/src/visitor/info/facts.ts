import { COOKIES, LIMITS, RETENTION } from '@najwa/proto/http/client';
import { type Translate, useTranslation } from '../../i18n/index.js';
import { KEPT_DAYS } from '../../lib/kept-for.js';
import { MAX_KEPT } from '../../lib/kept-ways.js';
import { MAX_WAITING } from '../../lib/outbox/limit.js';
import { site } from '../../lib/site.js';

const MEGABYTE = 1024 * 1024;

/** Numbers that the pages state, as the services use them. */
function factsOf(t: Translate) {
  const days = (count: number) => t('site.info.days', { count });
  const hours = (count: number) => t('site.info.hours', { count });
  const minutes = (count: number) => t('site.info.minutes', { count });
  return {
    tracking: days(site.trackingDays),
    networkTag: hours(RETENTION.networkTagHours),
    aside: days(RETENTION.asideDays),
    notification: days(RETENTION.notificationDays),
    pushWayBack: days(RETENTION.pushWayBackDays),
    closedReport: days(RETENTION.closedReportDays),
    session: days(RETENTION.sessionDays),
    unclaimed: hours(RETENTION.unclaimedFileHours),
    preview: minutes(RETENTION.previewMinutes),
    wayBackDeletion: minutes(RETENTION.wayBackDeletionMinutes),
    sessionCookie: days(COOKIES.session.days),
    visitorCookie: days(COOKIES.visitor.days),
    languageCookie: days(COOKIES.language.days),
    deletion: days(LIMITS.deletionDays),
    exported: hours(RETENTION.exportHours),
    heldName: days(RETENTION.heldNameDays),
    suspension: days(LIMITS.sanctionDays.max),
    recording: minutes(LIMITS.recordingSeconds / 60),
    messageLength: LIMITS.text.message.max,
    imageMegabytes: LIMITS.messageImageBytes / MEGABYTE,
    onDevice: days(KEPT_DAYS),
    kept: MAX_KEPT,
    waiting: MAX_WAITING,
  };
}

export type Facts = ReturnType<typeof factsOf>;

export const useFacts = (): Facts => factsOf(useTranslation().t);
