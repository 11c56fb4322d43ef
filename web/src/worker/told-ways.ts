/** Cache with which a page tells the service worker what way back a subscription is for. */
export const TOLD_WAYS = 'told-ways';

/** Key of an entry, whose body is `/r/{token}`. No server is asked for it. */
export const toldWayAddress = (subscriptionId: string): string => `/told-ways/${subscriptionId}`;
