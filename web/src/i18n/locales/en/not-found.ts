export const notFound = {
  title: 'Page not found',
  leaving_one: 'Taking you home in <n>{{count, digits}}</n> second.',
  leaving_other: 'Taking you home in <n>{{count, digits}}</n> seconds.',
};
