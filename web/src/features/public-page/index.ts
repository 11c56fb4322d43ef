export { type PageData, primePublicPage, type PublicProfile } from './api.js';
export { MissingPage, PublicPage } from './PublicPage.js';
