export { Composer } from './Composer.js';
export { MissingPage } from './OwnerPage.js';
export { loadQueriedPage, PublicPage } from './PublicPage.js';
export type { First, PageData, PublicProfile, Unsent } from './types.js';
