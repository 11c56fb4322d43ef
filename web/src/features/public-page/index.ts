export { askedIn } from './asked.js';
export { MissingPage } from './OwnerPage.js';
export { loadQueriedPage, PublicPage } from './PublicPage.js';
export type { PageData, PublicProfile, Unsent } from './types.js';
