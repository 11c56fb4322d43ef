import Bowser from 'bowser';

/** Common names. Empty if unknown. */
export interface Device {
  browser: string;
  operatingSystem: string;
  /** `desktop`, `mobile`, `tablet`, `tv` or empty. */
  kind: string;
}

const MAX_LENGTH = 512;

/** @param userAgent truncated if long */
export function describeDevice(userAgent: string | undefined): Device {
  if (!userAgent) return { browser: '', operatingSystem: '', kind: '' };
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, MAX_LENGTH));
  return { browser: browser.name ?? '', operatingSystem: os.name ?? '', kind: platform.type ?? '' };
}
