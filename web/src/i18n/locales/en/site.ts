export const site = {
  start: {
    failed: 'This page did not load completely.',
    noScripts: 'Najwa needs JavaScript for reading and sending messages. Allow it in your browser.',
  },
  footer: {
    text: 'Najwa is a quiet place for honest words. You get the message, not the name.',
    rights: '© {{year, year}} Najwa. All rights reserved.',
    links: 'Site links',
    about: 'About',
    faq: 'FAQ',
    help: 'Help',
    terms: 'Terms',
    privacy: 'Privacy',
    cookies: 'Cookies',
    contact: 'Contact',
  },
  info: {
    changed: 'Last changed {{date}}',
    onThisPage: 'On this page',
    keptFor: { what: 'What', long: 'How long', who: 'Who sees it' },
    days_one: '1 day',
    days_other: '{{count, digits}} days',
    hours_one: '1 hour',
    hours_other: '{{count, digits}} hours',
    minutes_one: '1 minute',
    minutes_other: '{{count, digits}} minutes',
  },
};
