export { AboutPage, ContactPage, CookiesPage, FaqPage, HelpPage, PrivacyPage, TermsPage } from './pages.js';
