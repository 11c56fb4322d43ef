export { ChatWidget } from './ChatWidget.js';
