/* What asks the API, in one file. */
export { PublicMessages } from './PublicMessages.js';
export { FollowedPage, QueriedPage } from './QueriedPage.js';
