/** Where a picture or a sound is: absolute addresses as they are, everything else below /api. */
export const mediaSrc = (url: string) => (/^(https?:|data:)/.test(url) ? url : `/api${url}`);
