import { isIP } from 'node:net';
import { clientSite } from './limits/client-network.js';
import { describeDevice } from './user-agent.js';

const PREFIX = /\/(24|48)$/;

/** The /24 or /48 of an address. Empty if it is none. */
export const coarseAddress = (address: string): string => {
  if (PREFIX.test(address)) return address;
  return isIP(address) === 0 ? '' : clientSite(address);
};

/** The kind of device, in place of a user agent. Empty if unknown. */
export const coarseUserAgent = (userAgent: string | undefined): string => describeDevice(userAgent).kind;
