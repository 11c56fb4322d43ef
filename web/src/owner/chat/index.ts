export { ChatWidget, OPEN_ASSISTANT } from './ChatWidget.js';
