/** The address of a picture or an audio file. Relative URLs are below /api. */
export const mediaSrc = (url: string) => (isElsewhere(url) ? url : `/api${url}`);

/** The address of a smaller version of a picture, without animation. */
export const previewSrc = (url: string) => (isElsewhere(url) ? url : `/api${url}?size=small`);

const isElsewhere = (url: string) => /^(https?:|data:)/.test(url);
