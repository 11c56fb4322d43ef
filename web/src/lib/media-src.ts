/** Where a picture or a sound is: absolute addresses as they are, everything else below /api. */
export const mediaSrc = (url: string) => (isElsewhere(url) ? url : `/api${url}`);

/** A picture as a list shows it: smaller, and still. */
export const previewSrc = (url: string) => (isElsewhere(url) ? url : `/api${url}?size=small`);

const isElsewhere = (url: string) => /^(https?:|data:)/.test(url);
