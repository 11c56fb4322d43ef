export { AdminCreatePage } from './AdminCreatePage.js';
export { AdminPage } from './AdminPage.js';
