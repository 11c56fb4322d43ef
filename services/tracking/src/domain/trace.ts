import { describeDevice } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import type { TrackingContext } from '../context.js';
import type { TraceRecord } from '../db/records.js';
import { readLanguages } from './languages.js';

/** What the request of a message says about where it came from. Empty where it does not say. */
export function describeTrace(
  { locator }: Pick<TrackingContext, 'locator'>,
  { ipAddress, userAgent, referrer, language }: SenderTrace,
): TraceRecord {
  const { browser, operatingSystem, kind } = describeDevice(userAgent);
  const acceptedLanguages = readLanguages(language);
  return {
    ipAddress,
    userAgent,
    referrer,
    browser,
    operatingSystem,
    device: kind,
    location: locator.locate(ipAddress),
    language: acceptedLanguages[0] ?? '',
    acceptedLanguages,
  };
}
