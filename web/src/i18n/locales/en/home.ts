export const home = {
  title: 'Hear what goes unsaid',
  hero: {
    kicker: 'Anonymous messages, one personal link',
    before: 'Hear what goes ',
    marked: 'unsaid.',
    after: '',
    text: 'Make your page, share your link, and let people write to you honestly. You read the words, never the name.',
    create: 'Create your account',
    first: 'You are the reason I picked up drawing again. Thank you.',
    third: 'If you could go back, what would you tell yourself?',
  },
  notFound: {
    title: 'Page not found',
    leaving_one: 'Taking you home in <n>{{count, digits}}</n> second.',
    leaving_other: 'Taking you home in <n>{{count, digits}}</n> seconds.',
  },
};
