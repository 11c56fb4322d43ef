export { SettingsPage } from './SettingsPage.js';
