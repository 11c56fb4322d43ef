export const site = {
  start: {
    failed: 'This page did not load completely.',
    noScripts: 'Najwa needs JavaScript for reading and sending messages. Allow it in your browser.',
    own: 'Reading your messages needs JavaScript. Allow it in your browser, then load the page again.',
    ownPage: 'Your public page',
  },
  form: {
    plain: 'Your message goes out without scripts too. Voice and emoji need them.',
    unsent: 'Not sent yet',
    kept: 'Your text is still here.',
    proof: 'Many messages are reaching this page right now. Turn scripts on, or come back in a while.',
  },
  sees: {
    ask: 'Who sees what?',
    owner: 'The page’s owner',
    ownerText: 'Your words alone, and your picture or altered voice. No name, no account, no number.',
    staff: 'Administrators',
    staffText: {
      full: 'They can, when there is a need, open the sending data with the message: network address, device, language and where you came from. Kept for {{days}}; every opening is recorded.',
      coarse:
        'They can, when there is a need, open what is kept of the sending: your network, without the end of its address, and the kind of device. Kept for {{days}}; every opening is recorded.',
      off: 'They can, when there is a need, read the message. This site keeps neither your network address nor your device.',
    },
    others: 'Nobody else',
    othersText:
      'Unless your message is published: then visitors read it, without a name. Or reported: then moderators read it.',
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
