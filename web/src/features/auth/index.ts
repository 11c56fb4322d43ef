export { AuthPage } from './AuthPage.js';
