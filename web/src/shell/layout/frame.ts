export { ChatWidget } from '../../owner/chat/index.js';
export { Footer } from './Footer.js';
export { Header } from './Header.js';
