import Bowser from 'bowser';

/** Common names. Empty if unknown. */
export interface Device {
  browser: string;
  operatingSystem: string;
  /** `desktop`, `mobile`, `tablet`, `tv` or empty. */
  kind: string;
}

/** True if only the kind of the device is left of a user agent. */
export const isDeviceKind = (userAgent: string): boolean => /^(desktop|mobile|tablet|tv)$/.test(userAgent);

const MAX_LENGTH = 512;

/** @param userAgent or the kind that is left of it; truncated if long */
export function describeDevice(userAgent: string | undefined): Device {
  if (!userAgent) return { browser: '', operatingSystem: '', kind: '' };
  if (isDeviceKind(userAgent)) return { browser: '', operatingSystem: '', kind: userAgent };
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, MAX_LENGTH));
  return { browser: browser.name ?? '', operatingSystem: os.name ?? '', kind: platform.type ?? '' };
}
