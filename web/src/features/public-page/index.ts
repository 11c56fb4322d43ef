export type { PublicProfile } from './api.js';
export { PublicPage } from './PublicPage.js';
