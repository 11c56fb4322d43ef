import { listMatcher, prepareText } from '@najwa/proto/words';

/** True if a text has a word of the list of insults. It is looked for on the device. */
export const isHarsh = (text: string): boolean => listMatcher('insults').find(prepareText(text)) !== undefined;
