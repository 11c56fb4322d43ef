/** Pages of information in the footer's order, each with the namespace of its texts. Its path is its name. */
export const INFO_PAGES = {
  about: 'guide',
  faq: 'guide',
  help: 'guide',
  terms: 'guide',
  privacy: 'privacy',
  cookies: 'privacy',
  contact: 'guide',
} as const;

export type InfoPageName = keyof typeof INFO_PAGES;

export const INFO_PAGE_NAMES = Object.keys(INFO_PAGES) as InfoPageName[];

/** The path that all texts of a page share. */
export const infoTexts = <Page extends InfoPageName>(page: Page) =>
  `${INFO_PAGES[page]}.${page}` as Page extends 'privacy' | 'cookies' ? `privacy.${Page}` : `guide.${Page}`;
