export { infoPages } from './pages.js';
