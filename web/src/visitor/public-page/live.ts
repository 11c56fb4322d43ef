/* One module for all parts that call the API: Jest cannot load two at once that share a module that has not loaded. */
export { PublicMessages } from './PublicMessages.js';
export { FollowedPage, QueriedPage } from './QueriedPage.js';
