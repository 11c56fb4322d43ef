export { type PageData, primePublicPage, type PublicProfile, type Unsent } from './api.js';
export { askedIn } from './asked.js';
export { MissingPage, PublicPage } from './PublicPage.js';
