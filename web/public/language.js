// Runs before the first paint, so that a returning reader never sees the page turn around.
{
  const { documentElement } = globalThis.document;
  let language = 'ar';
  try {
    if (globalThis.localStorage.getItem('language') === 'en') language = 'en';
  } catch {
    // Storage can be refused; Arabic is the default then.
  }
  documentElement.lang = language;
  documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
}
