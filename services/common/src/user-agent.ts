import Bowser from 'bowser';

/** What a user agent says of itself, as names that people know. Empty where it does not say. */
export interface Device {
  browser: string;
  operatingSystem: string;
  /** `desktop`, `mobile`, `tablet`, `tv` or empty. */
  kind: string;
}

const MAX_LENGTH = 512;

/** @param userAgent as the header has it; what is longer than any browser's is cut */
export function describeDevice(userAgent: string | undefined): Device {
  if (!userAgent) return { browser: '', operatingSystem: '', kind: '' };
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, MAX_LENGTH));
  return { browser: browser.name ?? '', operatingSystem: os.name ?? '', kind: platform.type ?? '' };
}
