/* The parts that ask the API, in one file: Jest cannot load two at once that share a module which is not there yet. */
export { PublicMessages } from './PublicMessages.js';
export { FollowedPage, QueriedPage } from './QueriedPage.js';
