import { coarseAddress, coarseUserAgent, describeDevice, isDeviceKind } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import Negotiator from 'negotiator';
import type { TrackingContext } from '../context.js';
import type { TraceRecord } from '../db/records.js';

const LANGUAGE_TAG = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i;
const MAX_LANGUAGES = 10;

/** Preferred first. */
export function readLanguages(acceptLanguage: string): string[] {
  return new Negotiator({ headers: { 'accept-language': acceptLanguage } })
    .languages()
    .filter((tag) => LANGUAGE_TAG.test(tag))
    .slice(0, MAX_LANGUAGES);
}

/** Unknown fields are empty. An event from before a change of TRACKING may have too much. */
export function describeTrace(
  { locator, tracking }: Pick<TrackingContext, 'locator' | 'tracking'>,
  given: SenderTrace,
): TraceRecord {
  const { ipAddress, userAgent, referrer, language } = tracking === 'full' ? given : coarse(given);
  const { browser, operatingSystem, kind } = describeDevice(userAgent);
  const acceptedLanguages = readLanguages(language);
  return {
    ipAddress,
    userAgent: isDeviceKind(userAgent) ? '' : userAgent,
    referrer,
    browser,
    operatingSystem,
    device: kind,
    location: locator.locate(ipAddress),
    language: acceptedLanguages[0] ?? '',
    acceptedLanguages,
  };
}

const coarse = ({ ipAddress, userAgent }: SenderTrace): SenderTrace => ({
  ipAddress: coarseAddress(ipAddress),
  userAgent: coarseUserAgent(userAgent),
  referrer: '',
  language: '',
});
